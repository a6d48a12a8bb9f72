import type { ChangeState, Place } from '../types/trend.ts';

/** For the dashboard, issues and lists. */
export const CHANGE_STATE_WORDS: Readonly<Record<ChangeState, string>> = {
	suspected: 'suspected, not proven yet',
	confirmed: 'proven by a new measurement',
	bisected: 'proven, and the commit is known',
	accepted: 'accepted',
	repaired: 'repaired',
	disproved: 'not confirmed by a new measurement',
};

export const CHANGE_STATE_LABELS: Readonly<Record<ChangeState, string>> = {
	suspected: 'suspected',
	confirmed: 'proven',
	bisected: 'proven',
	accepted: 'accepted',
	repaired: 'repaired',
	disproved: 'refuted',
};

/** Higher latency counts as slower too. */
export const PLACE_WORDS: Readonly<Record<Place, string>> = {
	below: 'slower',
	level: 'level',
	above: 'faster',
	unsure: 'not sure',
	unsettled: 'not settled',
};
