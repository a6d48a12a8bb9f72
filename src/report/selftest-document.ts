/** A selftest. */
import { MOST_ADVISED } from '../judge/looks/spread.ts';
import { selftestExitCode } from '../judge/selftest/summarise-selftest.ts';
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../text/escape.ts';
import {
	countOf,
	formatChange,
	formatDuration,
	formatInterval,
	formatMoment,
	formatPercent,
	NONE,
} from '../text/numbers.ts';
import { type Phrase, phrase } from '../text/phrase.ts';
import type {
	DropResult,
	Feature,
	Figure,
	LaneCheck,
	SelftestResult,
	SelftestTrial,
	ServerSpread,
	Share,
	Support,
} from '../types/selftest.ts';
import { type Column, column } from './compare/columns.ts';
import { type Document, type Fact, listSection, repeatSection, type Section, section } from './document/document.ts';

/** Advice assumes this many cells and seconds at first. */
const USUAL = { cells: 24, budget: 600 } as const;

/** If more self-comparisons are undecided, the report mentions them first. */
const MANY_UNDECIDED = 0.2;

const TITLES = { sound: 'Sound', unsound: 'Selftest failed', unmeasured: 'Nothing measured' } as const;
const UNDECIDED = 'Nothing decided';
const TOO_NOISY = 'Too noisy';

interface VerdictRow
	extends Pick<DropResult, 'unchanged' | 'inconclusive' | 'improved' | 'achieved' | 'secondsPerTrial'> {
	readonly name: string;
	readonly regressed: Share;
}

export function selftestDocument(result: SelftestResult): Document {
	const { trust, coverage, trials, warnings } = result;
	const advice = describeAdvice(result).map((step): Phrase => [step]);
	return {
		headline: {
			tone: trust !== 'sound' ? 'fail' : isTooNoisy(result) ? 'inconclusive' : 'pass',
			title:
				trust !== 'sound'
					? TITLES[trust]
					: coverage.all.of === 0
						? UNDECIDED
						: isTooNoisy(result)
							? TOO_NOISY
							: TITLES.sound,
			summary: [{ text: plainText(describeFinding(result), 3 * MESSAGE_LIMIT) }],
			blocks: [
				{ kind: 'labelled', label: 'Exit code', items: [[`${selftestExitCode(result)}.`]] },
				{ kind: 'labelled', label: 'Next', items: advice },
			],
		},
		sections: [
			...verdictTable(result),
			...spreadTable(result),
			...supportTable(result),
			section([], [{ kind: 'facts', facts: factsOf(result) }]),
			...listSection(['Notes'], warnings.map(describeWarning)),
			...trialTable(trials),
			repeatSection(plainText(result.reproduce, Number.POSITIVE_INFINITY)),
		],
	};
}

function factsOf(result: SelftestResult): readonly Fact[] {
	return [
		...listFacts(result).map(([label, value]) => ({ label, value: [{ text: plainText(value, MESSAGE_LIMIT) }] })),
		{ label: 'Machine', value: describeMachine(result) },
		{ label: 'Made by', value: describeMaker(result) },
	];
}

function describeWarning({ code, message }: SelftestResult['warnings'][number]): Phrase {
	return phrase`${{ code: plainText(code, NAME_LIMIT) }}: ${{ text: plainText(message, MESSAGE_LIMIT) }}`;
}

function verdictTable(result: SelftestResult): readonly Section[] {
	const columns: readonly Column<VerdictRow>[] = [
		column('head slowed by', ({ name }) => name, 'left'),
		column('called regressed', ({ regressed }) => describeShare(regressed)),
		column('unchanged', ({ unchanged }) => `${unchanged}`),
		column('inconclusive', ({ inconclusive }) => `${inconclusive}`),
		column('improved', ({ improved }) => `${improved}`),
		column('change by CPU time', ({ achieved }) => describeFigure(achieved)),
		column('time each', ({ secondsPerTrial }) => (secondsPerTrial === null ? NONE : formatDuration(secondsPerTrial))),
	];
	const rows =
		result.trust === 'unmeasured'
			? []
			: [sameRow(result), ...result.drops.map((drop) => ({ ...drop, name: formatPercent(drop.drop) }))];
	const note = `A slowdown up to the tolerance of ${formatPercent(result.tolerance)} should not be called regressed; one beyond the threshold of ${formatPercent(result.threshold)} should. Ranges are 95 % intervals. The change by CPU time is how much head was really slowed down.`;
	return tableOf('False alarms and slowdowns found', columns, rows, note);
}

function sameRow({ trials, falseAlarms, falseImprovements }: SelftestResult): VerdictRow {
	const done = trials.filter(({ drop, ended }) => drop === 0 && (ended === 'decided' || ended === 'rounds'));
	const count = (verdict: SelftestTrial['verdict']) => done.filter((trial) => trial.verdict === verdict).length;
	const seconds = done.reduce((sum, trial) => sum + trial.seconds, 0);
	return {
		name: 'nothing',
		regressed: falseAlarms,
		unchanged: count('unchanged'),
		inconclusive: count('inconclusive'),
		improved: falseImprovements,
		achieved: null,
		secondsPerTrial: done.length === 0 ? null : seconds / done.length,
	};
}

function spreadTable({ servers }: SelftestResult): readonly Section[] {
	const columns: readonly Column<ServerSpread>[] = [
		{ label: 'server', format: ({ server }) => [{ code: plainText(server, NAME_LIMIT) }], align: 'left' },
		column('rounds', ({ rounds }) => `${rounds}`),
		column('noise of a round (SD)', ({ roundSd }) => formatPercent(roundSd)),
		column('without outliers', ({ robustSd }) => formatPercent(robustSd)),
		column('time of a round', ({ secondsPerRound }) => formatDuration(secondsPerRound)),
	];
	return tableOf(
		'Noise',
		columns,
		servers,
		'Noise is the standard deviation of the change between rounds (as a log ratio).',
	);
}

function supportTable({ supports, trust }: SelftestResult): readonly Section[] {
	const columns: readonly Column<Support>[] = [
		column('budget', ({ budget }) => formatDuration(budget)),
		column('rows', ({ cells }) => `${cells}`),
		column('smallest threshold', ({ threshold }) =>
			threshold === null ? `none up to ${formatPercent(MOST_ADVISED)}` : formatPercent(threshold),
		),
		{ label: 'because of', format: ({ server }) => [{ code: plainText(server, NAME_LIMIT) }], align: 'left' },
	];
	return tableOf(
		'Thresholds this machine can decide',
		columns,
		// If the gate is not trusted, no threshold makes it better.
		trust === 'unsound' ? [] : supports,
		'Assumes that nine rows in ten are clearly unchanged, so that they finish early.',
	);
}

function trialTable(trials: readonly SelftestTrial[]): readonly Section[] {
	const columns: readonly Column<SelftestTrial>[] = [
		column('trial', ({ trial }) => `${trial}`),
		{
			label: 'server/scenario',
			format: ({ server, scenario }) => [{ code: plainText(`${server}/${scenario}`, NAME_LIMIT) }],
			align: 'left',
		},
		column('head slowed by', ({ drop }) => (drop === 0 ? 'nothing' : formatPercent(drop))),
		column(
			'verdict',
			({ verdict, ended }) => (ended === 'decided' || ended === 'rounds' ? verdict : `${verdict}, cut short`),
			'left',
		),
		column('change', ({ change, interval }) =>
			change === null || interval === null ? NONE : describeFigure({ ...interval, value: change, rounds: 0 }),
		),
		column('interval contains the real change', ({ covered }) => (covered === null ? NONE : covered ? 'yes' : 'no')),
		column('rounds', ({ rounds }) => `${rounds}`),
		column('time', ({ seconds }) => formatDuration(seconds)),
	];
	return tableOf(`All ${countOf(trials.length, 'trial')}`, columns, trials, '', {
		media: ['markdown', 'html'],
		folded: true,
		shortening: [{ order: 1, omits: 'the table of all trials' }],
	});
}

function tableOf<T>(
	title: string,
	columns: readonly Column<T>[],
	rows: readonly T[],
	note: string,
	more: Partial<Section> = {},
): readonly Section[] {
	if (rows.length === 0) return [];
	const cells = rows.map((row) => columns.map(({ format }) => format(row)));
	return [section([title], [{ kind: 'table', columns, rows: cells, note }], more)];
}

function describeMachine({ environment: machine }: SelftestResult): Phrase {
	const system = `${machine.cpuModel}, ${countOf(machine.cpus, 'CPU')}, ${machine.os}, kernel ${machine.kernel}, Node ${machine.node}`;
	return [{ text: plainText(system, MESSAGE_LIMIT) }, `, load average ${machine.loadAverage.toFixed(2)} at the start`];
}

function describeMaker({ tool, createdAt, seed }: SelftestResult): Phrase {
	return [`benchgate `, { text: plainText(tool.version, NAME_LIMIT) }, `, ${formatMoment(createdAt)}, seed ${seed}`];
}

/** `3 of 12 (5.5 to 57.2 %)`, an exact 95 % interval. */
function describeShare({ count, of, low, high }: Share): string {
	if (of === 0) return '–';
	return `${count} of ${of} (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)} %)`;
}

/** `−5.2 % [−5.9 … −4.5]`, a 95 % interval. */
function describeFigure(figure: Figure | null): string {
	return figure === null ? '–' : `${formatChange(figure.value)} ${formatInterval(figure)}`;
}

function describeFinding(result: SelftestResult): string {
	const { trust, reasons, falseAlarms, coverage } = result;
	const cut = result.ended === 'interrupted' ? 'Interrupted; this is what was known so far. ' : '';
	if (trust === 'unsound') return `${cut}The gate must not be trusted on this machine. ${reasons.join(' ')}`;
	if (trust === 'unmeasured') return cut + reasons.join(' ');
	if (coverage.all.of === 0) {
		return `${cut}There was no time to decide a comparison, so this shows only how noisy rounds are.`;
	}
	const alarms = `${countOf(falseAlarms.count, 'false alarm')} in ${countOf(falseAlarms.of, 'comparison')} of a server with itself`;
	const held = `${coverage.all.count} of ${coverage.all.of} intervals contain the real change`;
	if (isTooNoisy(result)) {
		return `${cut}${alarms}, but this machine was too noisy to decide any of them at threshold ${formatPercent(result.threshold)}; ${held}.`;
	}
	return `${cut}The gate can be trusted on this machine: ${alarms}; ${held}.${describeUndecided(result)}`;
}

function countUndecided({ trials }: SelftestResult): number {
	return trials.filter(
		({ drop, verdict, ended }) =>
			drop === 0 && verdict === 'inconclusive' && (ended === 'decided' || ended === 'rounds'),
	).length;
}

function isTooNoisy(result: SelftestResult): boolean {
	return result.falseAlarms.of > 0 && countUndecided(result) === result.falseAlarms.of;
}

function describeUndecided(result: SelftestResult): string {
	const { falseAlarms, threshold } = result;
	const undecided = countUndecided(result);
	if (undecided <= MANY_UNDECIDED * falseAlarms.of) return '';
	return ` But ${undecided} of these ${falseAlarms.of} comparisons were too noisy to decide at threshold ${formatPercent(threshold)}.`;
}

function describeAdvice(result: SelftestResult): readonly string[] {
	const { trust, ended, supports, threshold, drops } = result;
	if (trust === 'unmeasured' && ended === 'interrupted') return [];
	if (trust === 'unmeasured') return ['Start one of the servers by hand to see why it does not answer.'];
	if (trust === 'unsound') {
		return [...describeCause(result), 'Until then use gate: advisory on it, so that no build fails by mistake.'];
	}
	const usual = supports.find(({ cells, budget }) => cells === USUAL.cells && budget === USUAL.budget);
	if (usual === undefined) return ['For advice on thresholds, give it more time: --budget 20m.'];
	const others = supports.filter((support) => support !== usual);
	const tested = drops.some(({ drop, regressed }) => drop > 0 && regressed.of > 0);
	const untested = tested ? [] : ['There was no time to test whether it finds a slowdown: use --budget 20m.'];
	return [...untested, ...describeUsual(usual, threshold), ...describeOthers(others)];
}

/** Names position bias if it is clear, because a quiet machine does not remove it. */
function describeCause({ positionBias, tolerance }: SelftestResult): readonly string[] {
	const { value = 0, low = null, high = null } = positionBias ?? {};
	const clear = low !== null && high !== null && (low > 0 || high < 0) && Math.abs(value) > tolerance / 2;
	if (!clear)
		return ['Other programs may be the cause: stop them, or use another machine, and run the selftest again.'];
	const how = `${formatPercent(Math.abs(value))} ${value < 0 ? 'slower' : 'faster'}`;
	return [
		`The likely cause: with the same code on both sides head looks ${how} than base (position bias), so this machine does not treat both sides alike.`,
		'Less noise would not change that. Use a different machine, and run the selftest again.',
	];
}

function describeUsual(support: Support, tested: number): readonly string[] {
	const { threshold, server } = support;
	if (threshold === null) {
		return [
			`This machine is too noisy for any threshold up to ${formatPercent(MOST_ADVISED)} ${matrixOf(support)} (because of ${server}): use fewer rows, a larger budget or a quieter machine.`,
		];
	}
	const tooSmall =
		threshold > tested ? [`The threshold of ${formatPercent(tested)} tested here is too small for that.`] : [];
	return [`On this machine use a threshold of ${formatPercent(threshold)} or more ${matrixOf(support)}.`, ...tooSmall];
}

function describeOthers(supports: readonly Support[]): readonly string[] {
	const possibleSupports = supports.filter(({ threshold }) => threshold !== null);
	if (possibleSupports.length === 0) return [];
	const parts = possibleSupports.map((support) => `${formatPercent(support.threshold)} ${matrixOf(support)}`);
	return [`Also possible: ${parts.join('; ')}.`];
}

function matrixOf({ budget, cells }: Support): string {
	return `with a budget of ${spellBudget(budget)} for ${countOf(cells, 'row')}`;
}

function spellBudget(seconds: number): string {
	return seconds % 60 === 0 ? `${seconds / 60}m` : `${Math.round(seconds)}s`;
}

function listFacts(result: SelftestResult): readonly (readonly [label: string, value: string])[] {
	const { pinning, cpuTime, instructionCounters } = result;
	return [
		...(result.trust === 'unmeasured' ? [] : listFindings(result)),
		['Pinning to a CPU', describeFeature(pinning)],
		['CPU time of servers', describeFeature(cpuTime)],
		['Instruction counters', `${describeFeature(instructionCounters)} (benchgate does not use them)`],
	];
}

function listFindings(result: SelftestResult): (readonly [label: string, value: string])[] {
	const { coverage, falseAlarms, secondsPerDecision, trials } = result;
	const cut = trials.filter(({ ended }) => ended === 'budget' || ended === 'interrupted').length;
	const cutShort = cut === 0 ? '' : `, ${cut} of them cut short`;
	const missed = result.warnings.some(({ code }) => code === 'injection-off')
		? '; the notes name trials in which head was not slowed down as intended'
		: '';
	const promised = `at threshold ${formatPercent(result.threshold)}; at most 5 % is promised`;
	return [
		['False alarms', `${describeShare(falseAlarms)} ${promised}`],
		...(falseAlarms.of === 0
			? []
			: ([['False improvements', `${result.falseImprovements} of ${falseAlarms.of}`]] as const)),
		['Intervals that contain the real change', `${describeShare(coverage.all)}; at least 90 % is promised`],
		['… where a server ran against itself', describeShare(coverage.same)],
		['… where head was slowed down', `${describeShare(coverage.injected)}${missed}`],
		[
			'Position bias',
			`${describeFigure(result.positionBias)}: the mean change of a server against itself, which should be near 0`,
		],
		['Time to decide', secondsPerDecision === null ? '–' : `${formatDuration(secondsPerDecision)} a row`],
		...(result.lanes ? ([['Lanes', describeLaneCheck(result.lanes)]] as const) : []),
		['Trials', `${trials.length}${cutShort}, in ${formatDuration(result.measuringSeconds)}`],
	];
}

function describeFeature({ available, note }: Feature): string {
	return `${available ? 'yes' : 'no'}: ${note}`;
}

export function describeLaneCheck({ lanes, worth, reasons, bias, drop, alone, together, gain }: LaneCheck): string {
	const verdict = worth === null ? 'perhaps' : worth ? 'worth it' : 'not worth it';
	const cost = gain === null ? '' : `, and certainty costs ${gain.toFixed(2)} times less`;
	const measuredText = `with all lanes at work a server against itself shows ${describeFigure(bias)}, a drop of ${formatPercent(drop, 1)} is measured as ${describeFigure(together)} (${describeFigure(alone)} in one lane)${cost}`;
	return [`${lanes} at once: ${verdict}.`, ...reasons, `Measured: ${measuredText}.`].join(' ');
}
