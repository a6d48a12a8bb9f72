import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, formatDuration, formatMoment } from '../../text/numbers.ts';
import { joinAnd, type Phrase, phrase } from '../../text/phrase.ts';
import type { RankingResult, RankingRow } from '../../types/ranking/ranking.ts';
import type { RankedShard } from '../../types/ranking/ranking-shards.ts';
import { STATES } from '../shard-words.ts';
import { own } from './ranking-figures.ts';
import { describeLoad, nameOf } from './ranking-words.ts';

export function factsOf(result: RankingResult): readonly { readonly label: string; readonly value: Phrase }[] {
	const { tool, createdAt, seed, setup } = result;
	const facts: readonly (readonly [string, Phrase])[] = [
		...(result.shards ? describeShards(result.shards) : machineFacts(result)),
		['benchgate', own(tool.version)],
		['Date', own(formatMoment(createdAt))],
		['Seed', own(String(seed))],
		['Load', own(describeLoad(setup))],
		...(setup.driver === undefined ? [] : [['Loaded by', own(setup.driver)] as const]),
		setup.preset === null ? ['Reference', nameOf(setup.reference)] : ['Preset', nameOf(setup.preset)],
	];
	return facts.map(([label, value]) => ({ label, value }));
}

function machineFacts({ environment }: RankingResult): readonly (readonly [string, Phrase])[] {
	const { os, kernel, cpuModel, cpus, memoryBytes, node, loadAverage, pinning } = environment;
	const foreign = (value: string): Phrase => [{ text: plainText(value, MESSAGE_LIMIT) }];
	return [
		['Machine', foreign(`${cpuModel}, ${cpus} CPUs, ${(memoryBytes / 1e9).toFixed(1)} GB`)],
		['System', foreign(`${os}, kernel ${kernel}`)],
		['Node', foreign(node)],
		['CPUs', foreign(pinning)],
		['Load average when it began', own(loadAverage.toFixed(2))],
	];
}

function describeShards(shards: readonly RankedShard[]): readonly (readonly [string, Phrase])[] {
	return shards.map((one) => [`Shard ${one.shard}`, describe(one)]);
}

function describe({ state, servers, environment, rounds = 0, seconds = 0 }: RankedShard): Phrase {
	const names = joinAnd(servers.map(nameOf));
	if (environment === undefined) return phrase`${STATES.missing}: ${names}`;
	const cut = state === 'cut-off' ? `, ${STATES['cut-off']}` : '';
	const { cpuModel, cpus, kernel, node, pinning } = environment;
	const machine = { text: plainText(`${cpuModel}, ${countOf(cpus, 'CPU')}`, NAME_LIMIT) };
	const system = { text: plainText(`kernel ${kernel}, Node ${node}, ${pinning}`, MESSAGE_LIMIT) };
	return phrase`${names} in ${countOf(rounds, 'round')}, ${formatDuration(seconds)}${cut}; ${machine}, ${system}`;
}

/** Absolute figures can be compared only if they come from one machine. */
export function areOfOneMachine(rows: readonly Pick<RankingRow, 'shard'>[]): boolean {
	return new Set(rows.flatMap(({ shard }) => shard ?? [])).size < 2;
}
