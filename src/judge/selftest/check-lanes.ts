/** Compares rounds measured in one lane and in all lanes at once. */
import { momentsOf } from '../../stats/moments.ts';
import { formatPercent, formatSignedPercent } from '../../text/numbers.ts';
import type { Figure, LaneCheck, LaneServer } from '../../types/selftest.ts';
import type { Fraction, Seconds } from '../../types/units.ts';
import { figureOf } from './summarise-selftest.ts';

/** Largest allowed difference between a planted drop in all lanes and in one. */
const SAME_DROP: Fraction = 0.01;
/** Lanes must make certainty this many times cheaper to justify their risk. */
export const WORTH_FROM = 1.4;
const FEWEST_ROUNDS = 8;

export interface LaneSample {
	readonly server: string;
	/** Injected into head; 0 for A/A. */
	readonly drop: Fraction;
	/** All lanes measured at once. */
	readonly together: boolean;
	/** Signed log ratio of throughput, negative is worse. */
	readonly d: number | null;
	readonly seconds: Seconds;
}

/**
 * Whether `lanes` lanes are worth it: A/A shows no change, a planted drop is within one point of one lane's, and
 * certainty (SD² × seconds / lanes) costs at least 1.4 times less. `worth` is null with too few rounds. Source:
 * docs/lanes.md.
 */
export function checkLanes(samples: readonly LaneSample[], lanes: number, drop: Fraction, pinning: string): LaneCheck {
	const dOf = (together: boolean, injected: Fraction) =>
		samples.flatMap((one) => (one.together === together && one.drop === injected ? (one.d ?? []) : []));
	const bias = figureOf(dOf(true, 0));
	const [alone, together] = [figureOf(dOf(false, drop)), figureOf(dOf(true, drop))];
	const servers = [...Map.groupBy(samples, ({ server }) => server)].flatMap(([server, serverSamples]) =>
		serverOf(server, serverSamples, lanes),
	);
	const gains = servers.map(({ gain }) => Math.log(gain));
	const gain = gains.length === 0 ? null : Math.exp(gains.reduce((sum, each) => sum + each, 0) / gains.length);
	const laneFigures = { lanes, pinning, bias, drop, alone, together, gain, servers };
	const figures = [bias, alone, together];
	const enough = gain !== null && figures.every((figure) => figure !== null && figure.rounds >= FEWEST_ROUNDS);
	if (!enough) return { ...laneFigures, worth: null, reasons: ['Too few rounds for a conclusion.'] };
	const reasons = reasonsAgainst(bias as Figure, alone as Figure, together as Figure, gain);
	return { ...laneFigures, worth: reasons.length === 0, reasons };
}

function reasonsAgainst(bias: Figure, alone: Figure, together: Figure, gain: number): string[] {
	const { low, high } = bias;
	const away = Math.abs(together.value - alone.value);
	return [
		...((low !== null && low > 0) || (high !== null && high < 0)
			? [`A server against itself shows ${formatSignedPercent(bias.value)}, which is not 0.`]
			: []),
		...(away > SAME_DROP ? [`A planted drop is ${formatPercent(away, 1)} away from what one lane shows.`] : []),
		...(gain < WORTH_FROM
			? [`Certainty costs ${gain.toFixed(2)} times less, and ${WORTH_FROM} times is the least that is worth it.`]
			: []),
	];
}

function serverOf(server: string, serverSamples: readonly LaneSample[], lanes: number): LaneServer[] {
	const [alone, together] = [false, true].map((kind) => costOf(serverSamples.filter((one) => one.together === kind)));
	if (!alone || !together) return [];
	const gain = (alone.sd ** 2 * alone.seconds * lanes) / (together.sd ** 2 * together.seconds);
	if (!(gain > 0 && Number.isFinite(gain))) return [];
	return [
		{
			server,
			aloneSd: alone.sd,
			togetherSd: together.sd,
			aloneSeconds: alone.seconds,
			togetherSeconds: together.seconds,
			gain,
		},
	];
}

function costOf(laneSamples: readonly LaneSample[]): { readonly sd: number; readonly seconds: Seconds } | null {
	const groups = [...Map.groupBy(laneSamples, ({ drop }) => drop).values()].flatMap((group) => {
		const moments = momentsOf(group.flatMap(({ d }) => d ?? []));
		return moments && moments.df > 0 ? moments : [];
	});
	const df = groups.reduce((sum, moments) => sum + moments.df, 0);
	if (df === 0) return null;
	const squares = groups.reduce((sum, moments) => sum + moments.sd ** 2 * moments.df, 0);
	const measured = laneSamples.filter(({ d }) => d !== null);
	return {
		sd: Math.sqrt(squares / df),
		seconds: measured.reduce((sum, { seconds }) => sum + seconds, 0) / measured.length,
	};
}
