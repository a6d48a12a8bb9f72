/** Advice after a comparison. */
import { NOT_EXERCISED } from '../../impact/exercised.ts';
import { hasTooFewRounds, namedBudget, neededRounds } from '../../judge/warnings.ts';
import { MOST_PLANNED_ROUNDS } from '../../plan/plan-run.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { formatCount, formatDuration, formatPercent } from '../../text/numbers.ts';
import { joinAnd, type Phrase, phrase } from '../../text/phrase.ts';
import { METRICS } from '../../types/metric.ts';
import type { CellResult, Result } from '../../types/result.ts';
import { remedyFor } from '../remedies.ts';
import { missingShards } from '../shard-words.ts';
import { isAccepted, openRows } from './acceptance-words.ts';
import type { Audience } from './audience.ts';
import { baseWord, headWord, isHeadFine, nameSome, rowsWith } from './fault-words.ts';
import { nameOf, nounOf, type Row } from './rows.ts';

/** Advice suggests no larger multiple of the budget or threshold. */
const MOST_TIMES_BUDGET = 10;
const LEAST_TIMES_BUDGET = 2;
const MOST_ROUNDS = 1000;
/** A last look needs intervals this much narrower than those of 90 %, squared. */
const SURER = 2;
const MOST_TIMES_THRESHOLD = 5;
/** With fewer rounds the spread is too uncertain to call a row too noisy. */
const ENOUGH_ROUNDS = 10;
const QUOTE_LIMIT = 160;
const MOST_NAMED = 3;

/** No number of rounds decides rows with these notes. */
const UNDECIDABLE: Readonly<Record<string, string>> = {
	'put-off': 'stop what head does between requests (timers, queues), or do it while it answers',
	'unfinished-work': 'let head finish its work within two seconds of its last answer',
	'left-cpu': 'keep every process of the server on the CPU that it starts on',
	'hidden-cpu': 'run where cgroup v2 can be written, so that all CPU time is counted',
	'whole-answers': 'measure again with this version of benchgate',
	'varying-counts': 'make the server do the same work for equal requests',
};

export function isUndecidable({ warnings }: Pick<CellResult, 'warnings'>): boolean {
	return warnings.some(({ code }) => Object.hasOwn(UNDECIDABLE, code) || code === 'metric-unavailable');
}

const BUDGET = { code: 'budget' };

export function adviseUnexercised({ warnings, base }: Pick<Result, 'warnings' | 'base'>): readonly Phrase[] {
	if (!warnings.some(({ code }) => code === NOT_EXERCISED)) return [];
	const name = { text: plainText(base.subject?.name ?? 'the subject', NAME_LIMIT) };
	return [phrase`add a scenario that runs ${name}: no row runs it, so this result says nothing about it.`];
}

/** Returns actions on red rows. `isFaultTold`: the headline quotes the fault. */
export function adviseRed(
	result: Result,
	rows: readonly Row[],
	audience: Audience,
	isFaultTold: boolean,
): readonly Phrase[] {
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
			? [phrase`Fix head in ${nameSome(broken, rows)}${isFaultTold ? '' : ': the notes below quote the first fault'}.`]
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

/** Returns actions on rows that not head alone broke. */
export function adviseInvalid(rows: readonly Row[], audience: Audience, isFaultTold: boolean): readonly Phrase[] {
	const [base = [], both = [], rebase = [], unknown = []] = (['base', 'both', 'rebase', 'unknown'] as const).map(
		(kind) => rowsWith(kind, rows),
	);
	return [
		...(base.length > 0 ? adviseBase(base, rows, audience) : []),
		...adviseBoth(both, rows, audience),
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

function adviseBoth(both: readonly Row[], all: readonly Row[], audience: Audience): readonly Phrase[] {
	const byRemedy = Map.groupBy(both, (row) => remedyFor(row.cell.warnings));
	return [...byRemedy].map(([remedy, rows]) => {
		const where = placesOf(rows, audience);
		if (remedy !== null) return phrase`For ${nameSome(rows, all)}${where}: ${{ text: remedy }}.`;
		return phrase`Fix the server, or the scenario’s ${{ code: 'expect' }}${where}: both sides fail in the same way.`;
	});
}

function placesOf(rows: readonly Row[], { lineOf }: Audience): Phrase {
	const places = new Set(
		rows.flatMap((row) => {
			const place = lineOf?.(row.cell.scenario);
			return place ? `${place.path}:${place.line}` : [];
		}),
	);
	const lines = [...places].slice(0, MOST_NAMED).map((line): Phrase => [{ code: plainText(line, NAME_LIMIT) }]);
	return lines.length === 0 ? [] : phrase` (${joinAnd(lines)})`;
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
	| 'at-limit'
	| 'noisy'
	| 'too-noisy'
	| 'hopeless';

function causeOf(row: Row, { ended }: Result, audience: Audience): Cause {
	const { cell } = row;
	const codes = new Set(cell.warnings.map(({ code }) => code));
	if (codes.has('shard-missing')) return 'shard';
	if (codes.has('metric-unavailable')) return 'unavailable';
	if (isUndecidable(cell)) return 'undecidable';
	if (ended === 'interrupted') return 'interrupted';
	// While other programs use the CPU, no number of rounds decides it.
	if (codes.has('crowded-cpu') || codes.has('crowded-latency')) return 'crowded';
	const smallest = cell.smallestDecidableThreshold;
	if (hasTooFewRounds(cell.warnings) || smallest === null) return 'short';
	const ratio = smallest / cell.threshold;
	const isBeyond = !takesFlags(audience) && cell.rounds * timesFor(row) > MOST_PLANNED_ROUNDS;
	if (ratio <= 1) return isBeyond || nearness(row) > MOST_TIMES_BUDGET ? 'at-limit' : 'close';
	if (cell.rounds < ENOUGH_ROUNDS || (ratio ** 2 <= MOST_TIMES_BUDGET && !isBeyond)) return 'noisy';
	return ratio <= MOST_TIMES_THRESHOLD ? 'too-noisy' : 'hopeless';
}

/** Returns one action for each cause of undecided rows. */
export function adviseInconclusive(result: Result, rows: readonly Row[], audience: Audience): readonly Phrase[] {
	const open = rows.filter((row) => row.verdict === 'inconclusive');
	const byCause = Map.groupBy(open, (row) => causeOf(row, result, audience));
	const of = (cause: Cause): readonly Row[] => byCause.get(cause) ?? [];
	const shards = adviseShards(of('shard'), audience);
	if (isAccepted(result) && result.onInconclusive !== 'fail') return shards;
	const busy = of('crowded').length > 0 || result.warnings.some(({ code }) => code === 'busy-machine');
	const rest = [
		...adviseRoom(result, of('short'), [...of('noisy'), ...of('close')], audience),
		...of('at-limit').map(adviseAtLimit).slice(0, MOST_NAMED),
		...(of('short').length > 0 ? [] : adviseNoisy(of('too-noisy'), of('hopeless'), busy)),
	];
	const quiet = busy && of('crowded').length + rest.length > 0 ? [adviseBusy(of('crowded'))] : [];
	// Too few rounds decide nothing on a quiet machine either.
	const isFirst = of('crowded').length > 0 || of('short').length === 0;
	return [
		...shards,
		...(of('interrupted').length > 0 ? [['Run it again without interrupting.']] : []),
		...of('unavailable')
			.map(
				(row) =>
					phrase`Remove ${{ code: row.cell.metric }} from ${{ code: 'gate.metrics' }}: this machine cannot measure it.`,
			)
			.slice(0, 1),
		...adviseUndecidable(of('undecidable'), rows),
		...(isFirst ? [...quiet, ...rest] : [...rest, ...quiet]),
	];
}

function adviseBusy(crowded: readonly Row[]): Phrase {
	const or = crowded.length > 0 ? ', or use another machine' : '';
	return [`Stop the other programs that were busy on this machine, then run again${or}.`];
}

function adviseUndecidable(undecidable: readonly Row[], all: readonly Row[]): readonly Phrase[] {
	const codeOf = ({ cell }: Row) => cell.warnings.find(({ code }) => Object.hasOwn(UNDECIDABLE, code))?.code ?? '';
	return [...Map.groupBy(undecidable, codeOf)].map(([code, rows]) => {
		const remedy = UNDECIDABLE[code] ?? '';
		return phrase`For ${nameSome(rows, all)}: ${remedy}; a larger ${BUDGET} does not decide ${rows.length === 1 ? 'it' : 'them'}.`;
	});
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

function adviseRoom(
	result: Result,
	short: readonly Row[],
	others: readonly Row[],
	audience: Audience,
): readonly Phrase[] {
	if (short.length > 0) return [adviseShort(result, short)];
	if (others.length === 0) return [];
	const times = Math.min(Math.max(LEAST_TIMES_BUDGET, ...others.map(timesFor)), MOST_TIMES_BUDGET);
	const noisy = others.filter(({ cell }) => (cell.smallestDecidableThreshold ?? 0) > cell.threshold);
	const or = noisy.length === 0 ? [] : phrase`, or ${nameThresholds(noisy)}`;
	return [phrase`Use ${nameRoom(result, others, times, audience)} to decide ${nameRows(others)}${or}.`];
}

function adviseShort({ ended, budget }: Result, short: readonly Row[]): Phrase {
	const most = (read: (row: Row) => number | null) => Math.max(0, ...short.map((row) => read(row) ?? 0));
	const needed = most(({ cell }) => neededRounds(cell.warnings));
	const now = `(now ${formatDuration(budget)})`;
	if (ended !== 'budget' && needed > 0)
		return phrase`Use ${{ code: `--rounds ${needed}` }} or more: there were too few to decide.`;
	const named = most(({ cell }) => namedBudget(cell.warnings));
	if (named === 0) return phrase`Use a larger ${BUDGET} ${now}: there were too few rounds to decide.`;
	return phrase`Set ${BUDGET} to at least ${formatDuration(named)} ${now}: there were too few rounds to decide.`;
}

/** Names the limits that would end a run before it has `times` as many rounds. */
function nameRoom({ ended, budget, timing }: Result, rows: readonly Row[], times: number, audience: Audience): Phrase {
	const now = Math.max(...rows.map(({ cell }) => cell.rounds));
	const needed = Math.min(Math.ceil(now * times), MOST_ROUNDS);
	const isByBudget = ended === 'budget' || !takesFlags(audience);
	const isByRounds = takesFlags(audience) && (ended !== 'budget' || needed > MOST_PLANNED_ROUNDS);
	const seconds = times * (isByBudget ? budget : timing.measuringSeconds);
	const minutes = formatDuration(Math.ceil(seconds / 60) * 60);
	return joinAnd([
		...(isByRounds ? [phrase`${{ code: `--rounds ${needed}` }} (now ${formatCount(now)})`] : []),
		...(seconds > budget ? [phrase`a ${BUDGET} of about ${minutes} (now ${formatDuration(budget)})`] : []),
	]);
}

/** Workflows and configs have no option for rounds: the budget plans them, up to a limit. */
function takesFlags({ gate }: Audience): boolean {
	return gate === undefined;
}

/** The standard error falls with the square root of the rounds. */
function timesFor(row: Row): number {
	const ratio = (row.cell.smallestDecidableThreshold ?? 0) / row.cell.threshold;
	return ratio > 1 ? ratio ** 2 : nearness(row);
}

/** Returns how many times as many rounds tell a change from the limit that it is nearest to; 0 if unknown. */
function nearness({ span, cell: { threshold, tolerance } }: Row): number {
	if (span?.low == null || span.high === null) return 0;
	const distance = span.mid > -threshold ? span.mid + threshold : -tolerance - span.mid;
	return distance <= 0 ? Infinity : SURER * ((span.high - span.low) / 2 / distance) ** 2;
}

function adviseAtLimit(row: Row): Phrase {
	const { low, mid } = row.span ?? { low: 0, mid: 0 };
	const passes = formatPercent(Math.ceil((mid - 2 * (mid - (low ?? mid))) * -1000) / 1000);
	return phrase`Use a ${{ code: 'threshold' }} of ${passes} to let ${nameOf(row)} pass: its change is so close to the limit that no sensible ${BUDGET} decides it.`;
}

function adviseNoisy(tooNoisy: readonly Row[], hopeless: readonly Row[], busy: boolean): readonly Phrase[] {
	const machine = busy ? 'another machine' : 'a quieter machine';
	const are = (rows: readonly Row[]): string => (rows.length === 1 ? 'is' : 'are');
	return [
		...(tooNoisy.length > 0
			? [
					phrase`Use ${machine}, or ${nameThresholds(tooNoisy)}: ${isNamed(tooNoisy) ? 'they' : nameRows(tooNoisy)} ${are(tooNoisy)} too noisy for a larger ${BUDGET}.`,
				]
			: []),
		...(hopeless.length > 0
			? [
					phrase`Use ${machine}: ${nameRows(hopeless)} ${are(hopeless)} too noisy for any sensible ${BUDGET} or ${{ code: 'threshold' }}.`,
				]
			: []),
	];
}

/** Thresholds of several rows name each row. */
function isNamed({ length }: readonly Row[]): boolean {
	return length > 1 && length <= MOST_NAMED;
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
