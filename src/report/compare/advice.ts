/** Advice after a comparison. */
import { NOT_EXERCISED } from '../../impact/exercised.ts';
import { hasTooFewRounds, namedBudget } from '../../judge/warnings.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { formatCount, formatDuration, formatPercent } from '../../text/numbers.ts';
import { joinAnd, type Phrase, phrase } from '../../text/phrase.ts';
import { METRICS } from '../../types/metric.ts';
import type { Result } from '../../types/result.ts';
import { missingShards } from '../shard-lines.ts';
import { isAccepted, openRows } from './acceptance-words.ts';
import type { Audience } from './audience.ts';
import { baseWord, headWord, isHeadFine, nameSome, rowsWith } from './fault-words.ts';
import { nameOf, nounOf, type Row } from './rows.ts';

/** Advice suggests no larger multiple of the budget or threshold. */
const MOST_TIMES_BUDGET = 10;
const MOST_TIMES_THRESHOLD = 5;
/** With fewer rounds the spread is too uncertain to call a row too noisy. */
const ENOUGH_ROUNDS = 10;
const QUOTE_LIMIT = 160;
const MOST_NAMED = 3;

/** No number of rounds decides rows with these notes. */
const UNDECIDABLE: readonly string[] = [
	'put-off',
	'unfinished-work',
	'left-cpu',
	'hidden-cpu',
	'whole-answers',
	'varying-counts',
];

const BUDGET = { code: 'budget' };

export function adviseUnexercised({ warnings, base }: Pick<Result, 'warnings' | 'base'>): readonly Phrase[] {
	if (!warnings.some(({ code }) => code === NOT_EXERCISED)) return [];
	const name = { text: plainText(base.subject?.name ?? 'the subject', NAME_LIMIT) };
	return [phrase`add a scenario that runs ${name}: no row runs it, so this result says nothing about it.`];
}

/** Returns actions on red rows. */
export function adviseRed(result: Result, rows: readonly Row[], audience: Audience): readonly Phrase[] {
	const open = openRows(result, rows);
	const regressed = open.filter((row) => row.verdict === 'regressed');
	const [broken = [], changed = [], gone = [], drift = []] = (['head', 'answers', 'removed', 'drift'] as const).map(
		(kind) => rowsWith(kind, open),
	);
	const allow = phrase`If it is intended, set ${allowing(regressed)} in ${{ code: 'benchgate.yml' }} on the base branch.`;
	return [
		...(regressed.length > 0
			? [phrase`Fix ${nameSome(regressed, rows)}; the command below repeats the measurement.`]
			: []),
		...(broken.length > 0
			? [phrase`Fix head in ${nameSome(broken, rows)}: the notes below quote the first fault.`]
			: []),
		...(changed.length > 0 ? [adviseChanged(audience)] : []),
		...(drift.length > 0 ? [phrase`Make head as fast as base in ${nameSome(drift, rows)}.`] : []),
		...(gone.length > 0 ? [adviseGone(gone, rows, audience)] : []),
		...(regressed.length > 0 && !audience.acceptLabel && !audience.answersCommand ? [allow] : []),
	];
}

function adviseChanged(audience: Audience): Phrase {
	const ways = phrase`${{ code: '<any>' }} in ${{ code: 'expect.json' }}, ${{ code: 'ignore' }} or ${{ code: 'compare' }}`;
	return phrase`Make head answer like base, or list in the config of ${baseWord(audience)} the differences to allow: ${ways}.`;
}

function adviseGone(gone: readonly Row[], rows: readonly Row[], audience: Audience): Phrase {
	const names = nameSome(gone, rows);
	if (audience.acceptLabel) return phrase`Restore ${names} in head.`;
	const them = gone.length === 1 ? 'it' : 'them';
	return phrase`Restore ${names} in head, or remove ${them} from the config of ${baseWord(audience)}.`;
}

/** Returns the smallest whole percentage beyond every interval, with scenarios. */
function allowing(rows: readonly Row[]): Phrase {
	const metricRows = rows.filter(({ cell }) => METRICS[cell.metric].threshold !== undefined);
	if (metricRows.length > 0) {
		const metrics = [...new Set(metricRows.map(({ cell }) => cell.metric))].map((code): Phrase => [{ code }]);
		const otherPhrase =
			metricRows.length === rows.length
				? ['']
				: phrase`, and ${allowing(rows.filter((row) => !metricRows.includes(row)))}`;
		return phrase`a larger ${{ code: 'threshold' }} for ${joinAnd(metrics)} under ${{ code: 'gate.metrics' }}${otherPhrase}`;
	}
	const lows = rows.map(({ span }) => span?.low ?? null);
	const drops = lows.flatMap((low) => (low === null ? [] : -low));
	const percent = Math.floor(Math.max(...drops) * 100) + 1;
	const bounded = drops.length === lows.length && percent < 100;
	const threshold = bounded ? [{ code: `threshold: ${percent}%` }] : phrase`a larger ${{ code: 'threshold' }}`;
	const names = [...new Set(rows.map(({ scenario }) => scenario))];
	const shown = names.map((code): Phrase => [{ code }]);
	const which = names.length > MOST_NAMED ? [`these ${formatCount(names.length)} scenarios`] : joinAnd(shown);
	return phrase`${threshold} for ${which}`;
}

/** Returns actions on rows that not head alone broke. `isFaultTold`: the headline quotes the fault. */
export function adviseInvalid(rows: readonly Row[], audience: Audience, isFaultTold: boolean): readonly Phrase[] {
	const [base = [], both = [], rebase = [], unknown = []] = (['base', 'both', 'rebase', 'unknown'] as const).map(
		(kind) => rowsWith(kind, rows),
	);
	return [
		...(base.length > 0 ? adviseBase(base, rows, audience) : []),
		...(both.length > 0 ? [adviseBoth(both, audience)] : []),
		...(rebase.length > 0
			? [phrase`Rebase on the base branch, so that ${nameSome(rebase, rows)} can be compared.`]
			: []),
		...(unknown.length > 0 ? [adviseUnknown(unknown, isFaultTold)] : []),
	];
}

function adviseBase(base: readonly Row[], rows: readonly Row[], audience: Audience): readonly Phrase[] {
	const fine: readonly Phrase[] = isHeadFine(rows) ? [[`Nothing to fix in ${headWord(audience)}.`]] : [];
	const once = base.every(({ cell }) => cell.warnings.some((fault) => fault.side === 'base' && fault.once));
	const names = nameSome(base, rows);
	if (once) return [...fine, phrase`Run again to measure ${names}: base failed once, after earlier rounds had worked.`];
	return [...fine, phrase`Fix ${baseWord(audience)}, so that ${names} can be measured.`];
}

function adviseBoth(both: readonly Row[], { lineOf }: Audience): Phrase {
	const places = new Set(
		both.flatMap((row) => {
			const place = lineOf?.(row.cell.scenario);
			return place ? `${place.path}:${place.line}` : [];
		}),
	);
	const lines = [...places].slice(0, MOST_NAMED).map((line): Phrase => [{ code: plainText(line, NAME_LIMIT) }]);
	const where = lines.length === 0 ? [] : phrase` (${joinAnd(lines)})`;
	return phrase`Fix the server, or the scenario’s ${{ code: 'expect' }}${where}: both sides fail in the same way.`;
}

function adviseUnknown(unknown: readonly Row[], isFaultTold: boolean): Phrase {
	const [first] = unknown;
	const alike = new Set(unknown.map((row) => row.cell.warnings[0]?.message)).size === 1;
	if (isFaultTold && alike) return ['Fix this, then run again.'];
	if (unknown.length > 1 || !first) return ['Fix the faults in the notes below, then run again.'];
	return phrase`Fix the fault of ${nameOf(first)}, then run again: ${quoteFault(first)}`;
}

/** Returns the first fault of an invalid row as a sentence, shortened for headlines. */
export function quoteFault(row: Row): Phrase {
	const quote = plainText(row.cell.warnings[0]?.message ?? 'see the notes', QUOTE_LIMIT);
	return [{ text: quote }, /[.!?…]$/.test(quote) ? '' : '.'];
}

/** Returns the fault if `quoteFault` does not shorten it. */
export function wholeQuote(row: Row): string | null {
	const message = row.cell.warnings[0]?.message;
	return message !== undefined && plainText(message, QUOTE_LIMIT) === message ? message : null;
}

/** Why a row is undecided. One remedy each, so that advice never contradicts itself. */
type Cause =
	| 'shard'
	| 'interrupted'
	| 'unavailable'
	| 'undecidable'
	| 'crowded'
	| 'short'
	| 'close'
	| 'noisy'
	| 'too-noisy'
	| 'hopeless';

function causeOf({ cell }: Row, { ended }: Result): Cause {
	const codes = new Set(cell.warnings.map(({ code }) => code));
	if (codes.has('shard-missing')) return 'shard';
	if (codes.has('metric-unavailable')) return 'unavailable';
	if (UNDECIDABLE.some((code) => codes.has(code))) return 'undecidable';
	if (ended === 'interrupted') return 'interrupted';
	// While other programs use the CPU, no number of rounds decides it.
	if (codes.has('crowded-cpu') || codes.has('crowded-latency')) return 'crowded';
	const smallest = cell.smallestDecidableThreshold;
	if (hasTooFewRounds(cell.warnings) || smallest === null) return 'short';
	const ratio = smallest / cell.threshold;
	if (ratio <= 1) return 'close';
	if (ratio ** 2 <= MOST_TIMES_BUDGET || cell.rounds < ENOUGH_ROUNDS) return 'noisy';
	return ratio <= MOST_TIMES_THRESHOLD ? 'too-noisy' : 'hopeless';
}

/** Returns one action for each cause of undecided rows. */
export function adviseInconclusive(result: Result, rows: readonly Row[], audience: Audience): readonly Phrase[] {
	const open = rows.filter((row) => row.verdict === 'inconclusive');
	const byCause = Map.groupBy(open, (row) => causeOf(row, result));
	const of = (cause: Cause): readonly Row[] => byCause.get(cause) ?? [];
	const shards = adviseShards(of('shard'), audience);
	if (isAccepted(result) && result.onInconclusive !== 'fail') return shards;
	const busy = of('crowded').length > 0 || result.warnings.some(({ code }) => code === 'busy-machine');
	const rest = [
		...adviseBudget(result, of('short'), [...of('noisy'), ...of('close')]),
		...(of('short').length > 0 ? [] : adviseNoisy(of('too-noisy'), of('hopeless'), busy)),
	];
	return [
		...shards,
		...(of('interrupted').length > 0 ? [['Run it again without interrupting.']] : []),
		...of('unavailable')
			.map(
				(row) =>
					phrase`Remove ${{ code: row.cell.metric }} from ${{ code: 'gate.metrics' }}: this machine cannot measure it.`,
			)
			.slice(0, 1),
		...adviseUndecidable(of('undecidable')),
		...(busy && of('crowded').length + rest.length > 0 ? [adviseBusy(of('crowded'))] : []),
		...rest,
	];
}

function adviseBusy(crowded: readonly Row[]): Phrase {
	const or = crowded.length > 0 ? ', or use another machine' : '';
	return [`Stop the other programs that were busy on this machine, then run again${or}.`];
}

function adviseUndecidable(rows: readonly Row[]): readonly Phrase[] {
	if (rows.length === 0) return [];
	const [note, them] = rows.length === 1 ? ['note', 'it'] : ['notes', 'them'];
	return [phrase`Read the ${note} on ${nameRows(rows)}: a larger ${BUDGET} does not decide ${them}.`];
}

/** GitHub reruns the dependent jobs too. */
function adviseShards(rows: readonly Row[], audience: Audience): readonly Phrase[] {
	const shards = missingShards(rows);
	if (shards.length === 0) return [];
	const [one, they] = shards.length === 1 ? ['', 'it'] : ['s', 'they'];
	const which = `shard${one} ${shards.join(', ')} again, because ${they} did not finish.`;
	if (audience.gate !== undefined) return [[`Run the job${one} of ${which} GitHub then gathers again by itself.`]];
	return [[`Run ${which} Then gather again.`]];
}

/** The standard error falls with the square root of the rounds, so the budget grows with the squared ratio. */
function adviseBudget(result: Result, short: readonly Row[], others: readonly Row[]): readonly Phrase[] {
	const now = `(now ${formatDuration(result.budget)})`;
	const [first] = short;
	if (first) {
		const named = Math.max(0, ...short.map(({ cell }) => namedBudget(cell.warnings) ?? 0));
		if (named > 0)
			return [phrase`Set ${BUDGET} to at least ${formatDuration(named)} ${now}: there were too few rounds to decide.`];
		return [phrase`Use a larger ${BUDGET} ${now}, or more rounds: there were too few to decide.`];
	}
	if (others.length === 0) return [];
	const ratios = others.map(({ cell }) => (cell.smallestDecidableThreshold ?? 0) / cell.threshold);
	const ratio = Math.max(...ratios);
	if (ratio <= 1) {
		return [
			phrase`Use a larger ${BUDGET} ${now}: ${nameRows(others)} ${others.length === 1 ? 'is' : 'are'} too close to the limit to call.`,
		];
	}
	const times = Math.min(ratio ** 2, MOST_TIMES_BUDGET);
	const budget = formatDuration(Math.ceil((result.budget * times) / 60) * 60);
	const noisy = others.filter((_, at) => (ratios[at] ?? 0) > 1);
	return [
		phrase`Use a ${BUDGET} of about ${budget} ${now} to decide ${nameRows(others)}, or ${nameThresholds(noisy)}.`,
	];
}

function adviseNoisy(tooNoisy: readonly Row[], hopeless: readonly Row[], busy: boolean): readonly Phrase[] {
	const machine = busy ? 'another machine' : 'a quieter machine';
	const are = (rows: readonly Row[]): string => (rows.length === 1 ? 'is' : 'are');
	return [
		...(tooNoisy.length > 0
			? [
					phrase`Use ${machine}, or ${nameThresholds(tooNoisy)}: ${nameRows(tooNoisy)} ${are(tooNoisy)} too noisy for a larger ${BUDGET}.`,
				]
			: []),
		...(hopeless.length > 0
			? [
					phrase`Use ${machine}: ${nameRows(hopeless)} ${are(hopeless)} too noisy for any sensible ${BUDGET} or ${{ code: 'threshold' }}.`,
				]
			: []),
	];
}

function nameRows(rows: readonly Row[]): Phrase {
	if (rows.length > MOST_NAMED) return [`${formatCount(rows.length)} ${nounOf(rows)}s`];
	return joinAnd(rows.map((row): Phrase => [nameOf(row)]));
}

function nameThresholds(rows: readonly Row[]): Phrase {
	const spell = (row: Row): string =>
		formatPercent(Math.ceil((row.cell.smallestDecidableThreshold ?? 0) * 1000 - 1e-6) / 1000);
	const [first, ...others] = rows;
	if (!first || rows.length > MOST_NAMED) {
		const sorted = rows.toSorted(
			(a, b) => (a.cell.smallestDecidableThreshold ?? 0) - (b.cell.smallestDecidableThreshold ?? 0),
		);
		const [low, high] = [sorted[0], sorted.at(-1)].map((row) => (row ? spell(row) : ''));
		const threshold = { code: 'threshold' };
		if (low === high) return phrase`a ${threshold} of ${low ?? ''}`;
		return phrase`${threshold}s from ${low ?? ''} to ${high ?? ''}`;
	}
	if (others.length === 0) return phrase`a ${{ code: 'threshold' }} of ${spell(first)}`;
	return phrase`a ${{ code: 'threshold' }} of ${joinAnd(rows.map((row) => phrase`${spell(row)} for ${nameOf(row)}`))}`;
}
