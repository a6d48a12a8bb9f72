/** Cards: changes of one commit, and causes of slower rows. */
import { CHANGE_STATE_WORDS } from '../../text/change-states.ts';
import { countOf, formatPercent } from '../../text/numbers.ts';
import type { SiteChange, SiteIndex } from '../site-data.ts';
import { addressOf } from './address.ts';
import { bisectCommand, type Cause, compareCommand, isOpen, rangeOf, revisionAt } from './causes.ts';
import { type Child, commandBox, h } from './dom.ts';
import { markDifference, markStanding } from './standing-words.ts';
import {
	anchorName,
	change,
	commitLink,
	day,
	interval,
	range,
	repositoryLink,
	rowLink,
	shortName,
	spoken,
} from './words.ts';

const ROWS_SHOWN = 5;
const COMMITS_NAMED = 3;
/** The surest show whether a change is real; more would take hours. */
const ROWS_PROVEN = 3;

export type ChangeGroup = readonly [SiteChange, ...SiteChange[]];

export function groupAt(site: SiteIndex, group: number): ChangeGroup {
	return (site.groups[group] ?? []).map((index) => site.changes[index]) as unknown as ChangeGroup;
}

export function drawGroup(site: SiteIndex, group: ChangeGroup): HTMLElement {
	const [lead] = group;
	const ordered = group.toSorted((a, b) => a.step - b.step);
	const lines = (lead.step < 0 ? ordered : ordered.toReversed()).map(({ row, step, se }) => {
		const metric = metricAt(site, row);
		return [rowLink(site, row), markDifference(step, se, change(metric, step)), interval(metric, step, se)];
	});
	return card(lead.step < 0 ? 'slower' : 'faster', whereGroup(site, lead), [
		`${describeSize(site, group)}; ${describeStates(group)}.`,
		describeCertainty(site, lead),
		rowList(lines),
		...nextStep(site, group),
	]);
}

export function drawCause(site: SiteIndex, { group, since, isSettled, rows }: Cause): HTMLElement {
	const lines = rows.flatMap((index) => {
		const row = site.rows[index];
		if (!row?.standing) return [];
		return [[rowLink(site, index), markStanding(row), range(row.metric, row.standing.low, row.standing.high)]];
	});
	const count = `${countOf(rows.length, 'row')} slower than ${anchorName(site)}`;
	if (group === null) {
		const where = since === null ? `the release ${anchorName(site)}` : commitLink(site, since);
		return card(isSettled ? 'slower' : 'open', where, [
			isSettled
				? `${count}. A change is named after three commits at the new level.`
				: `${countOf(rows.length, 'row')}, shown by one baseline so far: the next one settles it.`,
			rowList(lines),
			...checkStep(site, since, rows),
		]);
	}
	const changes = groupAt(site, group);
	return card('slower', whereGroup(site, changes[0]), [
		`${count}; ${describeStates(changes)}.`,
		describeCertainty(site, changes[0]),
		rowList(lines),
		...nextStep(site, changes),
	]);
}

const KINDS = {
	slower: ['▼', 'Slower since '],
	open: ['◌', 'Maybe slower since '],
	faster: ['▲', 'Faster since '],
} as const;

function card(kind: keyof typeof KINDS, where: Child, parts: readonly Child[]): HTMLElement {
	const [shape, words] = KINDS[kind];
	const style = kind === 'open' ? 'same' : kind;
	return h(
		'article',
		{ class: `card is-${style}` },
		h(
			'h2',
			{},
			h('span', { class: `change ${style}` }, h('span', { 'aria-hidden': 'true' }, `${shape} `), words),
			where,
		),
		parts.map((part) => (typeof part === 'string' ? h('p', {}, part) : part)),
	);
}

function metricAt({ rows }: SiteIndex, row: number) {
	return rows[row]?.metric ?? 'throughput';
}

function whereGroup(site: SiteIndex, lead: SiteChange): HTMLElement {
	if (lead.named === undefined) {
		const first = mostLikely(lead);
		return h('span', {}, commitLink(site, first), ' ', day(site, first));
	}
	const { sha, title } = lead.named;
	return h(
		'span',
		{ class: 'commit' },
		repositoryLink(site, `commit/${sha}`, h('code', {}, sha.slice(0, 7))),
		' ',
		h('bdi', { class: 'title' }, title),
	);
}

export function mostLikely({ candidates, commit }: SiteChange): number {
	return candidates.toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? commit;
}

function describeSize(site: SiteIndex, group: ChangeGroup): string {
	const metrics = new Set(group.map(({ row }) => metricAt(site, row)));
	const steps = group.map(({ step }) => step);
	const [metric] = metrics;
	const rows = countOf(group.length, 'row');
	if (metric === undefined || metrics.size > 1) return rows;
	if (group.length === 1) return `${rows}, ${change(metric, group[0].step)}`;
	return `${rows}, ${spoken(metric, Math.min(...steps), Math.max(...steps))}`;
}

function describeStates(group: readonly SiteChange[]): string {
	const states = [...Map.groupBy(group, ({ state }) => state)];
	if (states.length === 1) return CHANGE_STATE_WORDS[group[0]?.state ?? 'suspected'];
	return states.map(([state, of]) => `${of.length} ${CHANGE_STATE_WORDS[state]}`).join('; ');
}

function describeCertainty(site: SiteIndex, { named, candidates, commit }: SiteChange): HTMLElement {
	if (named) return h('p', { class: 'quiet' }, `Found by a bisect, ${formatPercent(named.probability, 1)} probable.`);
	const [first, ...others] = candidates.toSorted((a, b) => b[1] - a[1]);
	if (first === undefined || others.length === 0) {
		return h('p', { class: 'quiet' }, 'At least 95 % sure that it began at this commit.');
	}
	const more = others.length - COMMITS_NAMED;
	const words = others
		.slice(0, COMMITS_NAMED)
		.flatMap(([index, probability]): Child[] => [
			', ',
			repositoryLink(site, commitPath(site, index), h('code', {}, shortName(site, index))),
			` ${formatPercent(probability, 0)}`,
		]);
	const rest = more > 0 ? ` and ${more} more` : '';
	const surest = `It began at one of ${candidates.length} commits (95 % sure): `;
	return h(
		'p',
		{ class: 'quiet' },
		surest,
		repositoryLink(site, commitPath(site, first[0] ?? commit), h('code', {}, shortName(site, first[0]))),
		` ${formatPercent(first[1], 0)}`,
		words,
		`${rest}.`,
	);
}

function commitPath({ commits }: SiteIndex, index: number): string | null {
	const sha = commits.sha[index];
	return sha ? `commit/${sha}` : null;
}

function rowList(lines: readonly (readonly Child[])[]): HTMLElement {
	const listOf = (some: typeof lines) =>
		h(
			'ul',
			{ class: 'rows' },
			some.map(([row = '', figure = '', interval = '']) =>
				h('li', {}, row, h('span', { class: 'figures' }, figure, ' ', h('span', { class: 'quiet' }, interval))),
			),
		);
	const more = lines.length - ROWS_SHOWN;
	if (more <= 1) return listOf(lines);
	return h(
		'div',
		{},
		listOf(lines.slice(0, ROWS_SHOWN)),
		h('details', {}, h('summary', {}, `${more} more rows`), listOf(lines.slice(ROWS_SHOWN))),
	);
}

function nextStep(site: SiteIndex, group: ChangeGroup): readonly Child[] {
	const lead = group.find(isOpen) ?? group[0];
	const row = site.rows[lead.row];
	const { good, bad } = rangeOf([lead]);
	const ends = good === null ? null : ([revisionAt(site, good), revisionAt(site, bad)] as const);
	const issue = group.find((each) => each.issue !== null)?.issue ?? null;
	const rows = group.slice(0, ROWS_PROVEN).flatMap((each) => site.rows[each.row] ?? []);
	const parts: Child[] = [];
	if (isOpen(lead)) {
		const isKnown = lead.candidates.length < 2 || lead.named !== undefined;
		if (isKnown && lead.state !== 'suspected') {
			const place = issue === null ? 'in its issue' : `in issue #${issue}`;
			parts.push(todo(`Fix it, or accept it ${place}.`));
		} else if (ends && row) {
			const command = isKnown ? compareCommand(ends, rows) : bisectCommand(ends, row);
			parts.push(
				todo(isKnown ? 'Prove it:' : lead.state === 'suspected' ? 'Find and prove the commit:' : 'Find the commit:'),
			);
			parts.push(commandBox(command));
		}
	}
	return [...parts, linksOf(site, { issue, ends: good === null ? null : [good, bad] })];
}

function checkStep(site: SiteIndex, since: number | null, indexes: readonly number[]): readonly Child[] {
	const era = site.eras.at(-1);
	const newest = site.commits.sha.length - 1;
	const rows = indexes.slice(0, ROWS_PROVEN).flatMap((index) => site.rows[index] ?? []);
	const base =
		since === null || since === 0 ? (era?.sha?.slice(0, 12) ?? era?.anchor ?? '?') : revisionAt(site, since - 1);
	const command = compareCommand([base, revisionAt(site, since ?? newest)], rows);
	return [todo('Check it now:'), commandBox(command)];
}

function todo(words: string): HTMLElement {
	return h('p', { class: 'todo' }, h('strong', {}, 'Next: '), words);
}

function linksOf(
	site: SiteIndex,
	{ issue, ends }: { readonly issue: number | null; readonly ends: readonly [number, number] | null },
): HTMLElement {
	const [from, to] = ends ? ends.map((index) => revisionAt(site, index)) : [];
	return h(
		'p',
		{ class: 'links' },
		issue !== null && site.repository !== null && repositoryLink(site, `issues/${issue}`, `Issue #${issue}`),
		ends !== null &&
			site.repository !== null &&
			repositoryLink(
				site,
				`compare/${ends.map((index) => encodeURIComponent(revisionAt(site, index))).join('...')}`,
				'Commits between',
			),
		ends !== null && h('a', { href: addressOf('compare', [], { from: from ?? '', to: to ?? '' }) }, 'Compare all rows'),
	);
}
