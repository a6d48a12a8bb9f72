/** Question 3: does the measurement favour a side, or the one that comes first? */
import { hodgesLehmannOf, signedRankEnds, walshAverages } from '../../src/stats/signed-rank.ts';
import { DESIGNS, type Design } from '../../src/types/config.ts';
import { SIDES, type Side } from '../../src/types/units.ts';
import { meanOf } from '../replay/share.ts';
import type { Bias, Mean } from '../results.ts';
import { roundsOf, type Series } from '../series.ts';
import { roundMean } from './round-mean.ts';
import { type MeasuredTurn, planOf, sameSeries, turnsOf } from './turns.ts';

const EXPERIMENTS = ['live', 'matrix', 'timing', 'designs', 'validity', 'together'] as const;
const TAIL = 0.025;

/** The result of one process pair in one round, for one way to split the rounds. */
interface Unit {
	readonly of: string;
	readonly throughput: number | null;
	readonly cpu: number | null;
}

/**
 * Returns the mean d (log units, negative is worse) of all rounds of the servers against themselves, for each design: of all rounds,
 * by the side whose client was created first, whose process was started first, which took slot 0, and by server. The unit is the
 * process pair of a round, its cells averaged first. Each split has two lines: the mean with a t interval, and, with `of` ending in
 * ", ranks", the Hodges–Lehmann estimate with the signed-rank interval, which single rounds far out hardly move. Both intervals hold
 * with 95 %. Lines without a single known value of both metrics are left out.
 */
export function bias(series: readonly Series[]): readonly Bias[] {
	const same = sameSeries(series, ...EXPERIMENTS);
	return DESIGNS.flatMap((design) => {
		const splits = Map.groupBy(
			same.flatMap((one) => unitsOf(one, design)),
			({ of }) => of,
		);
		return [...splits].flatMap(([of, units]) => linesOf(design, of, units));
	}).toSorted((a, b) => DESIGNS.indexOf(a.design) - DESIGNS.indexOf(b.design) || rankOf(a.of) - rankOf(b.of));
}

function unitsOf(series: Series, design: Design): readonly Unit[] {
	const plan = planOf(series, design);
	if (!plan) return [];
	return roundsOf(series, design).flatMap((round) =>
		[...Map.groupBy(turnsOf(plan, round), ({ server }) => server).values()].flatMap(splitPair),
	);
}

/** Turns of one pair of processes; each cell draws the first client. */
function splitPair(turns: readonly MeasuredTurn[]): readonly Unit[] {
	const [{ server, startFirst, firstSlot }] = turns as [MeasuredTurn];
	const unit = (of: string, some = turns): Unit => ({
		of,
		throughput: roundMean(some, 'throughput'),
		cpu: roundMean(some, 'cpu-per-request'),
	});
	const byClient = SIDES.flatMap((side) => {
		const some = turns.filter(({ clientFirst }) => clientFirst === side);
		return some.length === 0 ? [] : [unit(nameOf('client created first', side), some)];
	});
	return [
		unit('all'),
		...byClient,
		unit(nameOf('process started first', startFirst)),
		unit(nameOf('slot 0', firstSlot)),
		unit(`server: ${server}`),
	];
}

function nameOf(aspect: string, side: Side): string {
	return `${aspect}: ${side}`;
}

function linesOf(design: Design, of: string, units: readonly Unit[]): readonly Bias[] {
	const throughput = units.flatMap((unit) => unit.throughput ?? []);
	const cpu = units.flatMap((unit) => unit.cpu ?? []);
	if (throughput.length === 0 || cpu.length === 0) return [];
	return [
		{ design, of, throughput: meanOf(throughput), cpu: meanOf(cpu) },
		{ design, of: `${of}, ranks`, throughput: rankMeanOf(throughput), cpu: rankMeanOf(cpu) },
	];
}

/** Above 100 values the signed-rank distribution is the normal one (src/stats/signed-rank.ts). */
function rankMeanOf(values: readonly number[]): Mean {
	const averages = walshAverages(values);
	return {
		value: hodgesLehmannOf(averages),
		...signedRankEnds(averages, { low: TAIL, high: TAIL }),
		of: values.length,
	};
}

const ORDER = ['all', 'client', 'process', 'slot', 'server'];

function rankOf(of: string): number {
	return ORDER.findIndex((start) => of.startsWith(start));
}
