import { MESSAGE_LIMIT, plainText } from '../../text/escape.ts';
import { formatMoment } from '../../text/numbers.ts';
import type { Phrase } from '../../text/phrase.ts';
import type { MeasureResult } from '../../types/ranking/measure.ts';
import { own } from './measure-figures.ts';
import { describeShards } from './measure-shards.ts';
import { describeLoad, nameOf } from './measure-words.ts';

/** Returns where and with what a ranking was measured, as labelled lines. */
export function factsOf(result: MeasureResult): readonly { readonly label: string; readonly value: Phrase }[] {
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

function machineFacts({ environment }: MeasureResult): readonly (readonly [string, Phrase])[] {
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
