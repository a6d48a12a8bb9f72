import { CHANGE_STATE_WORDS } from '../../text/change-states.ts';
import { formatPercent, INTERVAL_95 } from '../../text/numbers.ts';
import type { MetricName } from '../../types/metric.ts';
import type { NamedOnSite, SiteChange, SiteIndex } from '../site-data.ts';
import { h, say, table } from './dom.ts';
import { markDifference } from './standing-view.ts';
import { change, commitLink, dayOf, interval, rangeOf, rowLink, shortHash } from './words.ts';

export function drawChanges(site: SiteIndex): HTMLElement {
	const changes = site.changes.toSorted((a, b) => b.commit - a.commit);
	const open = changes.filter(({ step, state }) => step < 0 && ['suspected', 'confirmed', 'bisected'].includes(state));
	return h(
		'section',
		{},
		h(
			'h1',
			{},
			open.length === 0 ? 'No open slowdown' : `${open.length} open ${open.length === 1 ? 'slowdown' : 'slowdowns'}`,
		),
		h(
			'p',
			{ class: 'lead quiet' },
			'A change of level lasts at least three commits. Its first commit is among those named, with 95 % probability.',
		),
		changes.length === 0
			? h('p', {}, 'No row has changed its level so far.')
			: table(
					'Changes of level, newest first',
					[
						['row'],
						['step', 'right'],
						[INTERVAL_95, 'right'],
						['first seen'],
						['may have begun at'],
						['state'],
						['look closer'],
					],
					changes.map((each) => [
						rowLink(site, each.row),
						markDifference(each.step, each.se, change(metricOf(site, each), each.step)),
						interval(metricOf(site, each), each.step, each.se),
						h('span', { class: 'day' }, dayOf(site, each.commit)),
						each.named ? namedCommit(site, each.named) : h('ul', { class: 'plain' }, candidatesOf(site, each)),
						CHANGE_STATE_WORDS[each.state],
						actions(site, each),
					]),
				),
	);
}

function metricOf({ rows }: SiteIndex, { row }: SiteChange): MetricName {
	return rows[row]?.metric ?? 'throughput';
}

function namedCommit(site: SiteIndex, { sha, title, probability }: NamedOnSite): HTMLElement {
	const name = h('code', {}, sha.slice(0, 7));
	return h(
		'span',
		{ class: 'commit' },
		site.repository ? h('a', { href: `${site.repository}/commit/${sha}`, rel: 'noopener' }, name) : name,
		' ',
		h('span', { class: 'title' }, title),
		h('span', { class: 'quiet' }, ` ${formatPercent(probability, 1).replace(' ', '\u00a0')}, found by a bisect`),
	);
}

function candidatesOf(site: SiteIndex, { candidates, commit }: SiteChange): HTMLElement[] {
	const likely = candidates.length > 0 ? candidates : [[commit, 1] as const];
	const named = likely.toSorted((a, b) => b[1] - a[1]).slice(0, 4);
	const hiddenCount = likely.length - named.length;
	return [
		...named.map(([index, probability]) =>
			h(
				'li',
				{},
				commitLink(site, index),
				h('span', { class: 'quiet' }, ` ${formatPercent(probability, 0).replace(' ', '\u00a0')}`),
			),
		),
		...(hiddenCount > 0 ? [h('li', { class: 'quiet' }, `and ${hiddenCount} more`)] : []),
	];
}

function actions(site: SiteIndex, each: SiteChange): HTMLElement {
	const { good, bad } = rangeOf(each);
	const row = site.rows[each.row];
	if (good === null || !row) return h('span', {});
	const [from, to] = [shortHash(site, good), shortHash(site, bad)];
	const command = `npx benchgate bisect --good ${from} --bad ${to} --server ${row.server} --scenario ${row.scenario}`;
	const compare =
		site.repository &&
		h(
			'a',
			{
				href: `${site.repository}/compare/${site.commits.sha[good] ?? from}...${site.commits.sha[bad] ?? to}`,
				rel: 'noopener',
			},
			'commits',
		);
	const issue =
		site.repository &&
		each.issue !== null &&
		h('a', { href: `${site.repository}/issues/${each.issue}`, rel: 'noopener' }, `#${each.issue}`);
	const copy: HTMLElement = h(
		'button',
		{ type: 'button', title: command, onclick: () => void copyCommand(copy, command) },
		'copy bisect command',
	);
	return h('span', { class: 'actions' }, compare || null, issue || null, copy);
}

/** Handles failure, because browsers offer the clipboard only to secure origins. */
async function copyCommand(button: HTMLElement, command: string): Promise<void> {
	try {
		await navigator.clipboard.writeText(command);
		button.textContent = 'copied';
		say('The command is copied');
	} catch {
		prompt('Copy this command', command);
	}
}
