import { CHANGE_STATE_WORDS } from '../../text/change-states.ts';
import { countOf } from '../../text/numbers.ts';
import type { SiteIndex } from '../site-data.ts';
import type { Address } from './address.ts';
import { isOpen } from './causes.ts';
import { type ChangeGroup, drawGroup, groupAt } from './change-card.ts';
import { h } from './dom.ts';
import { type Chosen, filtered, matches } from './filters.ts';
import { commitText, rowName } from './words.ts';

export function drawChanges(site: SiteIndex, address: Address): HTMLElement {
	const groups = site.groups.map((_, at) => groupAt(site, at));
	const open = groups.filter((group) => group.some(isOpen));
	const all = [
		['all', 'all changes'],
		['slower', 'slowdowns'],
		['faster', 'speed-ups'],
	] as const;
	const options = open.length === 0 ? all : ([['open', 'open slowdowns'], ...all] as const);
	return h(
		'section',
		{},
		h('h1', {}, open.length === 0 ? 'No open slowdown' : countOf(open.length, 'open slowdown')),
		h(
			'p',
			{ class: 'lead quiet' },
			'A change is a step that lasts at least three commits. Rows that one commit explains are listed together. Open: neither repaired, accepted nor refuted.',
		),
		groups.length === 0
			? h('p', {}, 'No row has changed its level so far.')
			: filtered(address, 'row, commit or state', [{ key: 'show', label: 'Show', options }], (chosen) => {
					const kinds = {
						open,
						all: groups,
						slower: groups.filter(([{ step }]) => step < 0),
						faster: groups.filter(([{ step }]) => step > 0),
					};
					const kind = (chosen.show || options[0]?.[0]) as keyof typeof kinds;
					const found = (kinds[kind] ?? groups).filter((group) => isFound(site, group, chosen));
					return {
						list: h(
							'div',
							{},
							found.map((group) => drawGroup(site, group)),
						),
						count: `${found.length} of ${countOf(groups.length, 'change')}, newest first`,
					};
				}),
	);
}

function isFound(site: SiteIndex, group: ChangeGroup, { q = '' }: Chosen): boolean {
	const words = group.flatMap(({ row, state, candidates, named, commit }) => [
		site.rows[row] ? rowName(site.rows[row]) : '',
		CHANGE_STATE_WORDS[state],
		named?.title ?? '',
		commitText(site, commit),
		...candidates.map(([index]) => `${site.commits.sha[index]} ${commitText(site, index)}`),
	]);
	return matches(words.join(' '), q);
}
