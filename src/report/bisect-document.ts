import { MESSAGE_LIMIT, NAME_LIMIT, plainText, shellWord } from '../text/escape.ts';
import { countOf, formatChange, formatDuration, formatInterval, formatPercent, NONE } from '../text/numbers.ts';
import { type Phrase, phrase } from '../text/phrase.ts';
import type { BisectCommit, BisectResult } from '../trend/bisect/bisect-result.ts';
import type { Span } from '../trend/bisect/next-step.ts';
import { METRICS } from '../types/metric.ts';
import {
	describeRounds,
	describeSize,
	drawBars,
	drawBarsSvg,
	LEGEND,
	meanChange,
	probableCommits,
	SHORT_HASH,
} from './bisect-picture.ts';
import {
	type Block,
	type Document,
	type Fact,
	type Headline,
	listSection,
	type Medium,
	repeatSection,
	section,
	type Table,
} from './document/document.ts';

const HASH = 12;
const MOST_NOTES = 50;
const LINES: readonly Medium[] = ['terminal', 'markdown'];
const GO_ON = 'Run the same command again to continue from here.';

export function bisectDocument(result: BisectResult): Document {
	const { commits, state, posterior, doubts, reproduce } = result;
	const picture: Block = {
		kind: 'picture',
		text: drawBars(state, posterior),
		html: drawBarsSvg(commits, state, posterior),
	};
	return {
		headline: headlineOf(result),
		sections: [
			section(
				[describeRounds(state)],
				[picture, { kind: 'paragraphs', items: [[LEGEND]], media: LINES }, probableTable(result)],
			),
			...listSection(
				['Notes'],
				[...doubts.map(({ message }): Phrase => [foreign(message)]), ...describeUnmeasured(result)],
				MOST_NOTES,
			),
			section([], [{ kind: 'facts', facts: factsOf(result) }]),
			repeatSection(reproduce, 'Repeat it, or continue it'),
		],
	};
}

function headlineOf(result: BisectResult): Headline {
	const { ended, commits, state, posterior } = result;
	const [good, bad] = [hashOf(commits[0]), hashOf(commits.at(-1))];
	switch (ended.kind) {
		case 'found': {
			const { span, proven } = ended;
			const one = span.after - span.before === 1;
			const summary = `First bad commit: ${nameSpan(result, span)} (${formatPercent(span.probability, 1)} probable).`;
			return {
				...{ tone: proven ? 'pass' : 'inconclusive', title: proven ? 'Found' : 'Not proven', summary: [summary] },
				blocks: [
					...(one ? [labelled('Commit', describeCommit(commits[span.after]))] : []),
					labelled('Proof', [describeProof(result, proven)]),
					...(proven ? [labelled('Next', [{ code: explainCommand(result, span) }])] : []),
				],
			};
		}
		case 'no-change':
			if (ended.sameCode) return open('No change', `${bad} has the same packed code as ${good}.`);
			return open(
				'No change',
				`If ${bad} differs from ${good}, the difference is too small to see: noise is ${formatPercent(posterior.roundSd)} a round, after ${countOf(state.probes.length, 'probe')}.`,
			);
		case 'stuck':
			return open(
				'Undecided',
				`No first bad commit could be named, and more rounds would hardly help. The most probable is ${nameSpan(result, ended.span)}, with ${formatPercent(ended.span.probability, 0)}.`,
			);
		case 'budget':
			return open('Undecided', 'The budget ran out before one commit was sure.', [labelled('Next', [GO_ON])]);
		case 'interrupted':
			return open('Interrupted', 'No commit was sure by then.', [labelled('Next', [GO_ON])]);
	}
}

function open(title: string, summary: string, blocks: readonly Block[] = []): Headline {
	return { tone: 'inconclusive', title, summary: [summary], blocks };
}

function labelled(label: string, words: Phrase): Block {
	return { kind: 'labelled', label, items: [words] };
}

function describeProof({ proof, commits, row }: BisectResult, proven: boolean): string {
	if (proof === null) return 'none, because the commits before and after could not be compared.';
	const metric = METRICS[proof.judgedBy ?? row.metric].label;
	const ends = `${hashOf(commits[proof.before])} with ${hashOf(commits[proof.after])}`;
	const change = `${formatChange(proof.change)} ${formatInterval(proof.interval)} in ${metric}`;
	return `a new comparison of ${ends} ${proven ? 'shows' : 'does not confirm it:'} ${change} after ${countOf(proof.rounds, 'round')}.`;
}

/** Commits between both ends could not be measured. */
function nameSpan({ commits }: BisectResult, { before, after }: Span): string {
	if (after - before === 1) return hashOf(commits[after]);
	return `one of the ${after - before} after ${hashOf(commits[before])} up to ${hashOf(commits[after])}`;
}

function explainCommand({ commits, row }: BisectResult, { before, after }: Span): string {
	const [server = '', ...scenario] = row.cell.split('/');
	const sides = ['--base', `git:${hashOf(commits[before])}`, '--head', `git:${hashOf(commits[after])}`];
	const cell = ['--server', server, '--scenario', scenario.join('/')];
	return ['npx', 'benchgate', 'explain', ...sides, ...cell].map(shellWord).join(' ');
}

function describeCommit(commit: BisectCommit | undefined): Phrase {
	if (commit === undefined) return [];
	const { title, author, committedAt } = commit;
	return phrase`${foreign(title)} (${{ text: plainText(author, NAME_LIMIT) }}, ${committedAt.slice(0, 10)})`;
}

function probableTable({ commits, state, posterior }: BisectResult): Table {
	const right = ['probability', 'against good', 'rounds'].map((label) => ({ label, align: 'right' as const }));
	return {
		kind: 'table',
		columns: [{ label: 'commit', align: 'left' }, ...right, { label: 'title', align: 'left', shrinks: true }],
		rows: probableCommits(commits, state, posterior).map(({ commit: { sha, title }, probability, d }) => [
			[sha.slice(0, SHORT_HASH)],
			[formatPercent(probability, 0)],
			[d === null ? NONE : meanChange(d)],
			[`${d?.length ?? 0}`],
			[{ text: plainText(title, NAME_LIMIT) }],
		]),
		note: '',
	};
}

/** The size is unknown before the first round. */
function factsOf({ row, state, posterior, seconds }: BisectResult): readonly Fact[] {
	return [
		{ label: 'Row', value: phrase`${{ code: plainText(row.cell, 2 * NAME_LIMIT) }}, ${METRICS[row.metric].label}` },
		...(state.probes.length === 0 ? [] : [{ label: 'Size of the change', value: [describeSize(posterior)] }]),
		{ label: 'Time', value: [`${formatDuration(seconds)} of building and measuring`] },
	];
}

function describeUnmeasured({ state, commits, reasons }: BisectResult): readonly Phrase[] {
	const broken = state.broken.map(
		(commit): Phrase => [`${hashOf(commits[commit])} could not be measured: `, foreign(reasons[commit] ?? '')],
	);
	const same = state.same.map((commit): Phrase => [`${hashOf(commits[commit])} has the same packed code as good.`]);
	return [...broken, ...same];
}

function foreign(text: string): { readonly text: string } {
	return { text: plainText(text, MESSAGE_LIMIT) };
}

/** Hashes come from git; as our own words GitHub links them. */
function hashOf(commit: BisectCommit | undefined): string {
	return (commit?.sha ?? '').slice(0, HASH);
}
