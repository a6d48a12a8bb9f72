import type { MeasureSample } from '../types/ranking/measure.ts';

type Labelled = MeasureSample & { readonly shard: number };

/**
 * Returns what tells the shard whose machine the figures alone of a row are taken from: the one that ranked the server; of a server that
 * is only a reference, which every shard loads, that with the most of its turns, the same one in all scenarios that it has. Undefined
 * for what no shard measured, and where nothing was gathered.
 */
export function homeShards(
	samples: readonly MeasureSample[],
): (server: string, scenario: string) => number | undefined {
	const labelled = samples.filter((sample): sample is Labelled => sample.shard !== undefined);
	const usual = new Map([
		...[...Map.groupBy(labelled, ({ reference }) => reference)].map(([name, own]) => [name, mostTurns(own)] as const),
		...[...Map.groupBy(labelled, ({ server }) => server)].map(([name, own]) => [name, mostTurns(own)] as const),
	]);
	return (server, scenario) => {
		const own = labelled.filter(
			(sample) => sample.scenario === scenario && (sample.server === server || sample.reference === server),
		);
		const home = usual.get(server);
		return own.some(({ shard }) => shard === home) ? home : mostTurns(own);
	};
}

/** If several have as many, the first. */
function mostTurns(samples: readonly Labelled[]): number | undefined {
	const turns = [...Map.groupBy(samples, ({ shard }) => shard)];
	const [most] = turns.toSorted(([a, one], [b, other]) => other.length - one.length || a - b);
	return most?.[0];
}
