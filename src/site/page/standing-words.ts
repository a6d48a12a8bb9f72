import { PLACE_WORDS } from '../../text/change-states.ts';
import type { SiteRow } from '../site-data.ts';
import { h } from './dom.ts';
import { change, spoken, unit } from './words.ts';

type Standing = NonNullable<SiteRow['standing']>;

/** Returns a sentence without its subject. */
export function describeStanding({ metric, standing }: Pick<SiteRow, 'metric' | 'standing'>, anchor: string): string {
	if (standing === null) return `has no level against ${anchor}.`;
	const { failed } = standing;
	const words = describePlace({ metric, standing }, anchor);
	return failed === 0 ? words : `${words} ${describeFailed(failed)}`;
}

function describeFailed(failed: number): string {
	const newest =
		failed === 1 ? 'The measurement of the newest commit' : `The measurements of the newest ${failed} commits`;
	return `${newest} failed: this is the level of the code before.`;
}

function describePlace(
	{ metric, standing }: { readonly metric: SiteRow['metric']; readonly standing: Standing },
	anchor: string,
): string {
	const { theta, low, high, place } = standing;
	const figure = `${change(metric, theta)} ${unit(metric)}`;
	const sure = `95 % sure: ${spoken(metric, low, high)}`;
	if (place === 'unsettled') {
		return `was last measured at ${figure} against ${anchor}. The level is not settled: it rests on one baseline, and the next one shows whether it lasts.`;
	}
	if (place === 'level') return `is as fast as ${anchor} (${sure}).`;
	if (place === 'unsure') return `was not measured precisely enough to be called level with ${anchor} (${sure}).`;
	return `is at ${figure} since ${anchor} (${sure}).`;
}

const MARKS: Readonly<Record<Standing['place'], readonly [kind: string, shape: string]>> = {
	below: ['slower', '▼'],
	above: ['faster', '▲'],
	level: ['same', '●'],
	unsure: ['same', '○'],
	unsettled: ['same', '◌'],
};

/** Shapes are for colour-blind readers. */
export function mark(place: Standing['place'], words: string, hasFailed = false): HTMLElement {
	const [kind, shape] = MARKS[place];
	const doubts = [
		...(place === 'unsettled' || place === 'unsure' ? [PLACE_WORDS[place]] : []),
		...(hasFailed ? ['not measured since'] : []),
	];
	const doubt = doubts.length === 0 ? '' : h('span', { class: 'quiet' }, ` ${doubts.join(', ')}`);
	return h('span', { class: `change ${kind}` }, h('span', { 'aria-hidden': 'true' }, `${shape} `), words, doubt);
}

export function markStanding({ metric, standing }: Pick<SiteRow, 'metric' | 'standing'>): HTMLElement | string {
	return standing === null ? '–' : mark(standing.place, change(metric, standing.theta), standing.failed > 0);
}

/** The difference counts if it exceeds `reach` standard errors. */
export function markDifference(difference: number, se: number, words: string, reach = 1.96): HTMLElement {
	return mark(placeOf(difference, se, reach), words);
}

export function placeOf(difference: number, se: number, reach: number): 'below' | 'level' | 'above' {
	if (Math.abs(difference) <= reach * se) return 'level';
	return difference < 0 ? 'below' : 'above';
}
