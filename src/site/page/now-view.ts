import { countOf } from '../../text/numbers.ts';
import type { SiteIndex } from '../site-data.ts';
import { addressOf } from './address.ts';
import { causesOf, isOpen, isSlower, maySlow, revisionAt } from './causes.ts';
import { drawCause, groupAt, mostLikely } from './change-card.ts';
import { h } from './dom.ts';
import { rowsTable } from './rows-table.ts';
import { inOrder } from './rows-view.ts';
import { anchorName, change, commitLink, day, shortName } from './words.ts';

const ROWS_SHOWN = 10;
const OTHERS_NAMED = 3;

export async function drawNow(site: SiteIndex): Promise<HTMLElement> {
	const tableOf = await rowsTable(site);
	const causes = causesOf(site);
	const measured = inOrder(site).filter((index) => site.rows[index]?.standing);
	const explained = new Set(causes.flatMap(({ group }) => (group === null ? [] : [group])));
	const others = site.groups
		.map((_, at) => groupAt(site, at))
		.filter((group, at) => !explained.has(at) && group.some(isOpen));
	return h(
		'section',
		{},
		h('h1', {}, headline(site)),
		h('p', { class: 'lead' }, ...lead(site)),
		causes.map((cause) => drawCause(site, cause)),
		others.length > 0 &&
			h(
				'p',
				{},
				`${countOf(others.length, 'open slowdown')} from before ${anchorName(site)}, or too small to count since: `,
				others.slice(0, OTHERS_NAMED).map(([lead], at) => {
					const [commit, metric] = [mostLikely(lead), site.rows[lead.row]?.metric ?? 'throughput'];
					const href = addressOf('changes', [], { show: 'all', q: revisionAt(site, commit) });
					return h(
						'span',
						{},
						at > 0 && ', ',
						h('a', { href }, `${change(metric, lead.step)} at ${shortName(site, commit)}`),
					);
				}),
				others.length > OTHERS_NAMED && ' and ',
				others.length > OTHERS_NAMED && h('a', { href: addressOf('changes') }, `${others.length - OTHERS_NAMED} more`),
				'.',
			),
		measured.length > 0 && tableOf(measured.slice(0, ROWS_SHOWN)),
		measured.length > ROWS_SHOWN &&
			h('p', {}, h('a', { href: addressOf('rows') }, `All ${countOf(site.rows.length, 'row')}`)),
		site.warnings.length > 0 &&
			h(
				'p',
				{ class: 'note' },
				h('a', { href: addressOf('quality') }, countOf(site.warnings.length, 'warning')),
				' about the measurements',
			),
	);
}

function headline(site: SiteIndex): string {
	const anchor = anchorName(site);
	const measured = site.rows.filter(({ standing }) => standing !== null);
	const [slower, open] = [isSlower, maySlow].map((is) => measured.filter(is).length) as [number, number];
	const isSure = measured.every(({ standing }) => standing?.place !== 'unsure' && standing?.failed === 0);
	if (measured.length === 0) return 'Nothing is measured yet';
	if (slower > 0)
		return `${slower} of ${countOf(measured.length, 'row')} ${slower === 1 ? 'is' : 'are'} slower than ${anchor}`;
	return open > 0
		? `${countOf(open, 'row')} may be slower than ${anchor}`
		: `No row is ${isSure ? '' : 'known to be '}slower than ${anchor}`;
}

function lead(site: SiteIndex): readonly (HTMLElement | string)[] {
	const newest = site.commits.sha.length - 1;
	const count = (words: string, is: (row: SiteIndex['rows'][number]) => boolean): string[] => {
		const { length } = site.rows.filter(is);
		return length === 0 ? [] : [`${length} ${words}`];
	};
	if (newest < 0) return ['Measure the main branch first: ', h('code', {}, 'npx benchgate baseline --save'), '.'];
	const placed = (place: string) => (row: SiteIndex['rows'][number]) => row.standing?.place === place;
	const counts = [
		...count('slower', isSlower),
		...count('not settled', placed('unsettled')),
		...count('as fast', placed('level')),
		...count('faster', placed('above')),
		...count('measured too imprecisely', placed('unsure')),
		...count(`without a level against ${anchorName(site)}`, ({ standing }) => standing === null),
		...count('failed in the newest measurement', ({ standing }) => (standing?.failed ?? 0) > 0),
	];
	return [`${counts.join(', ')}. Newest: `, commitLink(site, newest), ' ', day(site, newest), '.'];
}
