import type { ChangeState, Place } from '../types/trend.ts';

/** How far a change of level is known, in the words that people read: on the dashboard, in issues and in lists. */
export const CHANGE_STATE_WORDS: Readonly<Record<ChangeState, string>> = {
	suspected: 'suspected, not proven yet',
	confirmed: 'proven by a new measurement',
	bisected: 'proven, and the commit is known',
	accepted: 'accepted',
	repaired: 'repaired',
	disproved: 'not confirmed by a new measurement',
};

/** Where a row stands, in one or two words: higher latency is slower too. */
export const PLACE_WORDS: Readonly<Record<Place, string>> = {
	below: 'slower',
	level: 'level',
	above: 'faster',
	unsure: 'not sure',
	unsettled: 'not settled',
};
