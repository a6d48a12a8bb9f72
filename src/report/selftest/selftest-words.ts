/** The sentences and figures of a selftest. */

import { countOf, formatChange, formatDuration, formatInterval, formatPercent } from '../../text/numbers.ts';
import type { Feature, Figure, LaneCheck, SelftestResult, Share, Support } from '../../types/selftest.ts';

/** The matrix and the budget (seconds) that advice is given for first. */
const USUAL = { cells: 24, budget: 600 } as const;

/** Share of servers against themselves that stay undecided beyond which it is said first. */
const MANY_UNDECIDED = 0.2;

/** Returns a share such as `3 of 12 (5.5 to 57.2 %)`, with its exact 95 % interval; `–` without trials. */
export function describeShare({ count, of, low, high }: Share): string {
	if (of === 0) return '–';
	return `${count} of ${of} (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)} %)`;
}

/** Returns a figure such as `−5.2 % [−5.9 … −4.5]`, with its 95 % interval; `–` for null. */
export function describeFigure(figure: Figure | null): string {
	return figure === null ? '–' : `${formatChange(figure.value)} ${formatInterval(figure)}`;
}

/** Returns the headline's sentence: what was found about the gate on this machine. */
export function describeFinding(result: SelftestResult): string {
	const { trust, reasons, falseAlarms, coverage } = result;
	const cut = result.ended === 'interrupted' ? 'Interrupted; this is what was known so far. ' : '';
	if (trust === 'unsound') return `${cut}The gate must not be trusted on this machine. ${reasons.join(' ')}`;
	if (trust === 'unmeasured') return cut + reasons.join(' ');
	if (coverage.all.of === 0) {
		return `${cut}There was no time to decide a comparison, so this shows only how noisy rounds are.`;
	}
	const alarms = `${countOf(falseAlarms.count, 'false alarm')} in ${countOf(falseAlarms.of, 'comparison')} of a server with itself`;
	const held = `${coverage.all.count} of ${coverage.all.of} intervals contain the real change`;
	return `${cut}The gate can be trusted on this machine: ${alarms}; ${held}.${describeUndecided(result)}`;
}

function describeUndecided({ trials, falseAlarms, threshold }: SelftestResult): string {
	const undecided = trials.filter(
		({ drop, verdict, ended }) =>
			drop === 0 && verdict === 'inconclusive' && (ended === 'decided' || ended === 'rounds'),
	).length;
	if (undecided <= MANY_UNDECIDED * falseAlarms.of) return '';
	return ` But ${undecided === falseAlarms.of ? `all ${undecided}` : `${undecided} of these ${falseAlarms.of}`} comparisons were too noisy to decide at threshold ${formatPercent(threshold)}.`;
}

/** Returns what to do about it, one sentence each. */
export function describeAdvice(result: SelftestResult): readonly string[] {
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

/** A machine that treats the sides unequally does so however quiet it is. */
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
			`This machine is too noisy for any threshold up to 25 % ${matrixOf(support)} (because of ${server}): use fewer rows, a larger budget or a quieter machine.`,
		];
	}
	const tooSmall =
		threshold > tested ? [`The threshold of ${formatPercent(tested)} tested here is too small for that.`] : [];
	return [`On this machine use a threshold of ${formatPercent(threshold)} or more ${matrixOf(support)}.`, ...tooSmall];
}

function describeOthers(supports: readonly Support[]): readonly string[] {
	const known = supports.filter(({ threshold }) => threshold !== null);
	if (known.length === 0) return [];
	const parts = known.map((support) => `${formatPercent(support.threshold)} ${matrixOf(support)}`);
	return [`Also possible: ${parts.join('; ')}.`];
}

function matrixOf({ budget, cells }: Support): string {
	return `with a budget of ${spellBudget(budget)} for ${countOf(cells, 'row')}`;
}

/** As a user would type it. */
function spellBudget(seconds: number): string {
	return seconds % 60 === 0 ? `${seconds / 60}m` : `${Math.round(seconds)}s`;
}

/** Returns the facts of the selftest, label and words. */
export function listFacts(result: SelftestResult): readonly (readonly [label: string, value: string])[] {
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
		? '; the notes say where head was not slowed down as intended'
		: '';
	const promised = `at threshold ${formatPercent(result.threshold)}; at most 5 % is promised`;
	return [
		['False alarms', `${describeShare(falseAlarms)} ${promised}`],
		['False improvements', `${result.falseImprovements} of ${falseAlarms.of}`],
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

/** Returns whether more than one lane is worth it, and what that rests on. */
export function describeLaneCheck({ lanes, worth, reasons, bias, drop, alone, together, gain }: LaneCheck): string {
	const verdict = worth === null ? 'perhaps' : worth ? 'worth it' : 'not worth it';
	const cost = gain === null ? '' : `, and certainty costs ${gain.toFixed(2)} times less`;
	const found = `with all lanes at work a server against itself shows ${describeFigure(bias)}, a drop of ${formatPercent(drop, 1)} is measured as ${describeFigure(together)} (${describeFigure(alone)} in one lane)${cost}`;
	return [`${lanes} at once: ${verdict}.`, ...reasons, `Measured: ${found}.`].join(' ');
}
