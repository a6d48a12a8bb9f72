/** Advice after a comparison. */
import { NOT_EXERCISED } from '../../impact/exercised.ts';
import { type Forecast, forecastRounds } from '../../judge/looks/forecast.ts';
import { MOST_ADVISED, spreadBehind } from '../../judge/looks/spread.ts';
import { hasTooFewRounds } from '../../judge/warnings.ts';
import { USUAL_ROUNDS } from '../../plan/plan-run.ts';
import { estimateSeconds, timingFor } from '../../plan/timing.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, formatCount, formatDuration, formatPercent } from '../../text/numbers.ts';
import { joinAnd, type Phrase, phrase } from '../../text/phrase.ts';
import { METRICS } from '../../types/metric.ts';
import type { CellResult, Result } from '../../types/result.ts';
import { OTHER_HEADERS } from '../../types/round.ts';
import type { Fraction } from '../../types/units.ts';
import { lineForHeaders, remedyFor } from '../remedies.ts';
import { missingShards } from '../shard-words.ts';
import { isAccepted, openRows } from './acceptance-words.ts';
import type { Audience } from './audience.ts';
import { baseWord, headWord, isHeadFine, nameSome, rowsWith } from './fault-words.ts';
import { nameOf, nounOf, type Row } from './rows.ts';

/** No larger multiple of the budget is advised, but always 20 minutes. */
const MOST_TIMES_BUDGET = 10;
const MODEST_SECONDS = 1200;
const LEAST_TIMES_BUDGET = 2;
/** Below this probability no budget is advised. */
const WORTHWHILE = 0.6;
/** Simulated rows are decided less often than forecast, because processes stall. */
const MOST_PROMISED = 0.8;
const MOST_TIMES_THRESHOLD = 5;
/** Rounds whose spread shows how many a row needs. */
const ENOUGH_TO_JUDGE = 10;
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
	return [phrase`add a scenario that runs ${name}: no row runs it, so this result does not cover it.`];
}

export function adviseAudit({ changed }: Pick<Result, 'changed'>): readonly Phrase[] {
	if (changed?.audit?.red !== true) return [];
	return [
		['Run again, because a row that runs no changed code was red. If it is red again, report it with the raw file.'],
	];
}

export function adviseHeaders(rows: readonly Row[]): readonly Phrase[] {
	const doubtful = rows.filter(
		({ verdict, cell }) => verdict === 'improved' && cell.warnings.some(({ code }) => code === OTHER_HEADERS),
	);
	if (doubtful.length === 0) return [];
	return [phrase`Check that head is meant to send other headers in ${nameSome(doubtful, rows)}: the notes name them.`];
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
	return [
		...(regressed.length > 0
			? [phrase`Fix ${nameSome(regressed, rows)}; the command below repeats the measurement.`]
			: []),
		...(broken.length > 0
			? [phrase`Fix head in ${nameSome(broken, rows)}${isFaultTold ? '' : ': the notes below quote the first fault'}.`]
			: []),
		...(changed.length > 0 ? [adviseChanged(changed, audience)] : []),
		...(drift.length > 0 ? [phrase`Make head as fast as base in ${nameSome(drift, rows)}.`] : []),
		...(gone.length > 0 ? [adviseGone(gone, rows, audience)] : []),
		...(regressed.length > 0 && !audience.acceptLabel && !audience.answersCommand
			? [adviseAllowing(regressed, audience)]
			: []),
	];
}

function adviseChanged(changed: readonly Row[], audience: Audience): Phrase {
	const line = lineForHeaders(changed.flatMap(({ cell }) => cell.warnings));
	const ways = phrase`${{ code: '<any>' }} in ${{ code: 'expect.json' }}, ${{ code: '<optional>' }} in ${{ code: 'expect.headers' }}, ${{ code: 'ignore' }} or ${{ code: 'compare' }}`;
	const way = line === null ? ways : phrase`${{ code: plainText(line, QUOTE_LIMIT) }} in ${{ code: 'expect' }}`;
	return phrase`Make head answer like base, or allow the difference in the config of ${baseWord(audience)}: ${way}.`;
}

function adviseGone(gone: readonly Row[], rows: readonly Row[], audience: Audience): Phrase {
	const names = nameSome(gone, rows);
	if (audience.acceptLabel) return phrase`Restore ${names} in head.`;
	const them = gone.length === 1 ? 'it' : 'them';
	return phrase`Restore ${names} in head, or remove ${them} from the config of ${baseWord(audience)}.`;
}

function adviseAllowing(regressed: readonly Row[], audience: Audience): Phrase {
	const large = regressed.filter(
		(row) => METRICS[row.cell.metric].threshold === undefined && !isAdvisable(wholePercent(row), row.cell),
	);
	const isWide = large.some(({ cell, span }) => isAdvisable(-(span?.mid ?? -1), cell));
	if (isWide)
		return phrase`If it is intended, measure again with a larger ${BUDGET} before you set a ${{ code: 'threshold' }}: the interval is too wide to name one.`;
	if (large.length > 0 && takesFlags(audience))
		return phrase`If it is intended, accept it by running again with ${{ code: '--accept regressed' }}.`;
	return phrase`If it is intended, set ${allowing(regressed)} in ${{ code: 'benchgate.yml' }} on the base branch.`;
}

/** The smallest whole percentage beyond the interval; Infinity without one. */
function wholePercent({ span }: Row): Fraction {
	return span?.low == null ? Infinity : (Math.floor(-span.low * 100) + 1) / 100;
}

/** Scenarios with a large threshold of their own may need a larger one. */
function isAdvisable(threshold: Fraction, cell: Pick<CellResult, 'threshold'>): boolean {
	return threshold <= Math.max(MOST_ADVISED, 2 * cell.threshold);
}

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
	const most = Math.max(...rows.map(wholePercent));
	const isNamed = rows.every((row) => isAdvisable(wholePercent(row), row.cell));
	const threshold = isNamed
		? [{ code: `threshold: ${Math.round(most * 100)}%` }]
		: phrase`a larger ${{ code: 'threshold' }}`;
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

/** Why a row is undecided. One remedy each, so advice never contradicts itself. */
type Cause =
	| 'shard'
	| 'interrupted'
	| 'unavailable'
	| 'undecidable'
	| 'crowded'
	| 'room'
	| 'too-few'
	| 'at-limit'
	| 'too-noisy'
	| 'hopeless';

function causeOf({ cell }: Row, { ended }: Result, room: Room | null): Cause {
	const codes = new Set(cell.warnings.map(({ code }) => code));
	if (codes.has('shard-missing')) return 'shard';
	if (codes.has('metric-unavailable')) return 'unavailable';
	if (isUndecidable(cell)) return 'undecidable';
	if (ended === 'interrupted') return 'interrupted';
	// While other programs use the CPU, no number of rounds decides it.
	if (codes.has('crowded-cpu') || codes.has('crowded-latency')) return 'crowded';
	if (room !== null) return 'room';
	if (hasTooFewRounds(cell.warnings)) return 'too-few';
	if (!isWithinReach(cell)) return 'hopeless';
	return timesThreshold(cell) <= 1 ? 'at-limit' : 'too-noisy';
}

/** Whether a larger threshold decides a noisy row. */
function isWithinReach(cell: CellResult): boolean {
	return timesThreshold(cell) <= MOST_TIMES_THRESHOLD && isAdvisable(cell.smallestDecidableThreshold ?? Infinity, cell);
}

function timesThreshold({ smallestDecidableThreshold, threshold }: CellResult): number {
	return (smallestDecidableThreshold ?? Infinity) / threshold;
}

/** Returns one action for each cause of undecided rows. */
export function adviseInconclusive(result: Result, rows: readonly Row[], audience: Audience): readonly Phrase[] {
	const open = rows.filter((row) => row.verdict === 'inconclusive');
	const rooms = new Map(open.map((row) => [row, roomOf(row, result)]));
	const byCause = Map.groupBy(open, (row) => causeOf(row, result, rooms.get(row) ?? null));
	const of = (cause: Cause): readonly Row[] => byCause.get(cause) ?? [];
	const shards = adviseShards(of('shard'), audience);
	if (isAccepted(result) && result.onInconclusive !== 'fail') return shards;
	const busy = of('crowded').length > 0 || result.warnings.some(({ code }) => code === 'busy-machine');
	const rest = [
		...adviseRoom(result, of('room'), rooms, audience),
		...adviseTooFew(result, of('too-few'), audience),
		...of('at-limit').map(adviseAtLimit).slice(0, MOST_NAMED),
		...adviseNoisy(of('too-noisy'), of('hopeless'), busy),
	];
	const quiet = busy && of('crowded').length + rest.length > 0 ? [adviseBusy(of('crowded'))] : [];
	// Too few rounds decide nothing on a quiet machine either.
	const isFirst = of('crowded').length > 0 || !open.some(({ cell }) => hasTooFewRounds(cell.warnings));
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

interface Room extends Forecast {
	/** Of measuring. */
	readonly seconds: number;
}

function secondsSpent({ budget, timing }: Result): number {
	return timing.measuringSeconds > 0 ? Math.min(budget, timing.measuringSeconds) : budget;
}

function secondsPerRound({ rounds }: CellResult, result: Result): number {
	return rounds === 0 ? result.budget : secondsSpent(result) / rounds;
}

/** Null if too many rounds are needed. */
function roomOf({ cell, span }: Row, result: Result): Room | null {
	const { budget, cells } = result;
	const { rounds, warnings } = cell;
	const perRound = secondsPerRound(cell, result);
	const mostSeconds = Math.max(MODEST_SECONDS, MOST_TIMES_BUDGET * budget);
	const smallest = rounds < 2 ? null : cell.smallestDecidableThreshold;
	const seen = {
		rounds: span === null ? 0 : rounds,
		mean: Math.log1p(Math.max(span?.mid ?? 0, -0.99)),
		sd: smallest === null ? null : spreadBehind(smallest, rounds),
	};
	const family = cells.filter(({ pRegressed }) => pRegressed !== null).length;
	const forecast = forecastRounds(seen, cell, Math.max(1, family), mostSeconds / perRound);
	if (forecast === null || forecast.probability < WORTHWHILE) return null;
	const least = warnings.some(({ code }) => code.endsWith('unconfirmed'))
		? LEAST_TIMES_BUDGET * secondsSpent(result)
		: 0;
	return { ...forecast, seconds: Math.max(least, forecast.rounds * perRound) };
}

function adviseRoom(
	result: Result,
	rows: readonly Row[],
	rooms: ReadonlyMap<Row, Room | null>,
	audience: Audience,
): readonly Phrase[] {
	const given = rows.flatMap((row) => rooms.get(row) ?? []);
	if (given.length === 0) return [];
	const most = (read: (room: Room) => number) => Math.max(...given.map(read));
	const room = {
		rounds: most((each) => each.rounds),
		seconds: most((each) => each.seconds),
		probability: Math.min(MOST_PROMISED, ...given.map(({ probability }) => probability)),
	};
	const seen = Math.min(...rows.map(({ cell }) => cell.rounds));
	const judging =
		seen > 1
			? `judging by ${countOf(seen, 'round')}`
			: `if the noise is as usual, which ${seen === 0 ? 'no round can' : '1 round cannot'} show`;
	const noisy = rows.filter(
		({ cell: each }) => !hasTooFewRounds(each.warnings) && timesThreshold(each) > 1 && isWithinReach(each),
	);
	const or = noisy.length === 0 ? '' : phrase` Or use ${nameThresholds(noisy)}.`;
	const often = `about ${Math.floor(room.probability * 10)} of 10 such runs decide`;
	return [phrase`Use ${nameRoom(result, rows, room, audience)}: ${often} ${nameRows(rows)}, ${judging}.${or}`];
}

function adviseTooFew(result: Result, rows: readonly Row[], audience: Audience): readonly Phrase[] {
	if (rows.length === 0) return [];
	const least = Math.min(...rows.map(({ cell }) => cell.rounds));
	const seconds = Math.max(...rows.map(({ cell }) => ENOUGH_TO_JUDGE * secondsPerRound(cell, result)));
	const shown = least === 0 ? 'no round shows' : least === 1 ? '1 round does not show' : `${least} rounds do not show`;
	const room = nameRoom(result, rows, { rounds: ENOUGH_TO_JUDGE, seconds }, audience);
	return [phrase`Use ${room}: ${shown} whether ${nameRows(rows)} can be decided.`];
}

/** Names limits that would end a run early. */
function nameRoom(
	result: Result,
	rows: readonly Row[],
	room: Pick<Room, 'rounds' | 'seconds'>,
	audience: Audience,
): Phrase {
	const { ended, budget } = result;
	const now = Math.max(...rows.map(({ cell }) => cell.rounds));
	const isByRounds = takesFlags(audience) && ended !== 'budget';
	// A budget must hold more than 20 rounds as planned, not as measured.
	const planned = isByRounds || room.rounds <= USUAL_ROUNDS ? 0 : plannedSeconds(result, room.rounds);
	const seconds = Math.max(room.seconds, planned);
	return joinAnd([
		...(isByRounds ? [phrase`${{ code: `--rounds ${room.rounds}` }} (now ${formatCount(now)})`] : []),
		...(seconds > budget || !isByRounds
			? [phrase`a ${BUDGET} of ${formatDuration(roundUp(Math.max(seconds, budget)))} (now ${formatDuration(budget)})`]
			: []),
	]);
}

function plannedSeconds({ cells, design }: Result, rounds: number): number {
	const loaded = new Map(cells.map((cell) => [`${cell.server}/${cell.scenario}`, cell]));
	const machines = Map.groupBy(loaded.values(), ({ shard = 0 }) => shard);
	const timing = timingFor({ design });
	return Math.max(
		...[...machines.values()].map((some) => {
			const servers = some.map(({ server }) => ({ server }));
			return estimateSeconds(servers, rounds, design, timing);
		}),
	);
}

/** To tens of seconds below five minutes, else to minutes, with room for a slower round. */
function roundUp(seconds: number): number {
	const step = seconds < 300 ? 10 : 60;
	return Math.ceil((seconds * 1.05) / step) * step;
}

/** Workflows and configs have no option for rounds: the budget plans them, up to a limit. */
function takesFlags({ gate }: Audience): boolean {
	return gate === undefined;
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
