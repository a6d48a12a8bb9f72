/** Question 1, the answer: the cheapest way to spend a round. */
import { mean } from 'simple-statistics';
import type { Seconds } from '../../src/types/units.ts';
import type { TimingCost } from '../results.ts';
import { costOf } from './spread.ts';

/** The spread in a cost. Single outlying rounds inflate the sample one, and hardly move the robust one. */
export type SpreadKind = 'sd' | 'robustSd';

/** One way to spend a round on every server. */
export interface CommonChoice {
	/** Mean over the servers, if the warm-up was measured and not set. */
	readonly warmupSeconds: Seconds;
	readonly countedSeconds: Seconds;
	/** Geometric mean over the servers of its cost relative to the server's cheapest choice: 1 is the best possible. */
	readonly relativeCost: number;
}

export interface Best {
	readonly scenariosPerProcess: number;
	/** The cheapest choice of each server. */
	readonly servers: readonly TimingCost[];
	/** Choices that every server has, cheapest first. */
	readonly common: readonly CommonChoice[];
}

/** Returns (SD in percent)² × seconds of one choice, by the sample or the robust SD. */
export function costBy(cost: TimingCost, by: SpreadKind): number {
	return costOf(cost[by], cost.secondsPerCell);
}

/** Returns for each number of scenarios per process which of `costs` is cheapest, for each server and for all in common. */
export function best(costs: readonly TimingCost[], by: SpreadKind = 'sd'): readonly Best[] {
	return [...Map.groupBy(costs, ({ scenariosPerProcess }) => scenariosPerProcess)]
		.toSorted(([a], [b]) => a - b)
		.map(([scenariosPerProcess, alike]) => {
			const servers = [...Map.groupBy(alike, ({ server }) => server).values()];
			return {
				scenariosPerProcess,
				servers: servers.map((choices) => cheapest(choices, by)),
				common: commonChoices(servers, by),
			};
		});
}

function cheapest(choices: readonly TimingCost[], by: SpreadKind): TimingCost {
	return choices.reduce((least, choice) => (costBy(choice, by) < costBy(least, by) ? choice : least));
}

function commonChoices(servers: readonly (readonly TimingCost[])[], by: SpreadKind): readonly CommonChoice[] {
	// A warm-up of a number of requests takes a different time on each server, and occurs once per server.
	const isSet = servers.some((choices) => new Set(choices.map(({ warmupSeconds }) => warmupSeconds)).size > 1);
	const relative = servers.flatMap((choices) => {
		const least = costBy(cheapest(choices, by), by);
		return choices.map((choice) => ({ choice, log: Math.log(costBy(choice, by) / least) }));
	});
	const alike = Map.groupBy(relative, ({ choice: { warmupSeconds, countedSeconds } }) =>
		JSON.stringify(isSet ? [countedSeconds, warmupSeconds] : [countedSeconds]),
	);
	return [...alike.values()]
		.filter((choices) => choices.length === servers.length)
		.map((choices) => ({
			warmupSeconds: mean(choices.map(({ choice }) => choice.warmupSeconds)),
			countedSeconds: choices[0]?.choice.countedSeconds ?? 0,
			relativeCost: Math.exp(mean(choices.map(({ log }) => log))),
		}))
		.toSorted((a, b) => a.relativeCost - b.relativeCost);
}
