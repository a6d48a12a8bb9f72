import { NAME_LIMIT, plainText } from '../text/escape.ts';
import { formatChange, formatPercent, formatRange } from '../text/numbers.ts';
import { type Phrase, type Piece, phrase } from '../text/phrase.ts';
import { isCounted, METRICS, type Metric, type MetricName, placeOfRow } from '../types/metric.ts';
import type { Fraction, Side } from '../types/units.ts';
import { blameOf, type GateRow, needsRebase, redKindOf } from './gate-row.ts';
import { hasTooFewRounds } from './warnings.ts';

const FAILINGS: Readonly<Record<string, string>> = {
	'wrong-status': 'answers wrongly',
	'wrong-header': 'answers wrongly',
	'wrong-body': 'answers wrongly',
	'status-limit': 'answers wrongly',
	'unexpected-answers': 'answers wrongly under load',
	'changed-under-load': 'answers wrongly under load',
	'connection-errors': 'drops connections under load',
	'lost-requests': 'drops connections under load',
	'no-answer': 'does not answer',
	'endless-answer': 'does not finish its answers',
	'no-answers': 'does not answer',
	'rate-not-held': 'does not hold the rate',
	'left-cpu': 'left its CPU',
	crashed: 'crashed',
	restarted: 'crashed',
	'start-failed': 'does not start',
	'exited-at-start': 'does not start',
	'never-listened': 'does not start',
	'port-taken': 'does not start',
	'round-trips-uncounted': 'makes round trips that cannot be counted',
	'calls-uncounted': 'makes calls that cannot be counted',
	'bytes-allocated-uncounted': 'allocates bytes that cannot be counted',
	'wrong-protocol': 'does not speak plain HTTP/1.1',
};

/** Returns a clause without a full stop: why a row fails, is broken or undecided, or else its change. */
export function explainRow(row: GateRow, name: Piece = { code: nameOfRow(row) }): Phrase {
	const kind = redKindOf(row);
	if (kind === 'removed') return phrase`${name} is missing in head`;
	if (kind === 'answer-changed') return phrase`${name}: head and base give different answers`;
	if (kind === 'adds-to-drift') return explainDrift(row, name);
	if (row.verdict === 'new') return phrase`${name} is only in head`;
	if (needsRebase(row)) return phrase`${name} is newer than base, so head needs a rebase`;
	switch (blameOf(row)) {
		case 'base':
		case 'head':
			return phrase`${name} ${failingOf(row, blameOf(row) as Side)}, on ${blameOf(row) ?? ''} only`;
		case 'both':
			return explainBoth(row, name);
		case 'unknown':
			return phrase`${name} could not be measured`;
		default:
			return explainChange(row, name);
	}
}

/** Returns how a side fails: `crashed`. */
export function failingOf({ warnings }: Pick<GateRow, 'warnings'>, side: Side): string {
	const code = warnings.find((fault) => fault.side === side)?.code ?? '';
	return Object.hasOwn(FAILINGS, code) ? (FAILINGS[code] ?? '') : 'is broken';
}

/** Returns a metric's name for sentences. */
export function labelOf(metric: MetricName): string {
	return metric === 'throughput' ? METRICS[metric].unit : METRICS[metric].label;
}

/** Returns the change that fails: `−5 %`, or the equivalent rise of a cost, `+5.3 %`. */
export function formatLimit(metric: MetricName, threshold: Fraction): string {
	if (METRICS[metric].better === 'higher') return formatPercent(-threshold);
	if (isCounted(metric)) return `+${formatPercent(threshold)}`;
	return threshold >= 1 ? '+∞' : `+${formatPercent(1 / (1 - threshold) - 1)}`;
}

function nameOfRow({ cell, metric }: GateRow): string {
	return plainText(placeOfRow(cell, metric), NAME_LIMIT);
}

function explainBoth(row: GateRow, name: Piece): Phrase {
	const [base, head] = [failingOf(row, 'base'), failingOf(row, 'head')];
	return base === head ? phrase`${name} ${head}, on both sides` : phrase`${name} ${base} on base and ${head} on head`;
}

/** `express/ping −12.2 % requests/s (limit −5 %; 90 % confidence interval −14.6 % to −9.8 %)` */
function explainChange(row: GateRow, name: Piece): Phrase {
	const { estimate, judgedBy, verdict, threshold } = row;
	if (!estimate && verdict === 'regressed' && isCounted(judgedBy))
		return phrase`${name}: head has ${labelOf(judgedBy)}, and base has none`;
	if (!estimate) return verdict === 'regressed' ? phrase`${name} regressed` : phrase`${name} could not be decided`;
	const limits = threshold === undefined ? [] : [`limit ${formatLimit(judgedBy, threshold)}${equivalent(row)}`];
	const brackets = [...limits, describeInterval(row, estimate)].join('; ');
	return phrase`${name} ${{ strong: formatChange(estimate.change) }} ${labelOf(judgedBy)} (${brackets})`;
}

function equivalent({ judgedBy, threshold = 0 }: GateRow): string {
	return judgedBy === 'cpu-per-request' ? `, equal to ${formatPercent(threshold)} fewer requests/s` : '';
}

function describeInterval({ warnings, judgedBy }: GateRow, { interval }: NonNullable<GateRow['estimate']>): string {
	if (isCounted(judgedBy))
		return interval?.low === interval?.high ? 'counted exactly' : `counted, ${formatRange(interval)}`;
	const isUnbounded = interval === null || (interval.low === null && interval.high === null);
	if (isUnbounded || hasTooFewRounds(warnings)) return 'interval unknown: too few rounds';
	return `${formatPercent(interval.confidence)} confidence interval ${formatRange(interval)}`;
}

function explainDrift({ metric, drift }: GateRow, name: Piece): Phrase {
	const { anchor = '', total = null, threshold = 0 } = drift ?? {};
	const { words }: Metric = METRICS[metric];
	const worse = words?.worse ?? 'slower';
	const level = total === null ? worse : `${formatPercent(Math.abs(total), 1)} ${worse}`;
	const limit = formatLimit(metric, threshold).replace(/^[−+]/, '');
	return phrase`merging head would leave ${name} ${{ strong: level }} than ${{ code: plainText(anchor, NAME_LIMIT) }}; the drift limit is ${limit}`;
}
