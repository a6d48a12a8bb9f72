import { findCacheFolder } from '../../src/cli/measuring.ts';
import { openBench } from '../../src/measure/bench.ts';
import { findNode } from '../../src/measure/machine.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import { startJanitor } from '../../src/process/janitor.ts';
import { countRounds, isFinished, readAllSeries } from '../series-files.ts';
import { planAgenda } from './agenda.ts';
import type { Item } from './item.ts';
import { measureItem } from './measure-item.ts';

export interface CollectOptions {
	/** Folder of the series files. */
	readonly folder: string;
	/** Only series whose name contains it; empty for all. */
	readonly only: string;
	/** Minutes after the call in which rounds may begin. */
	readonly minutes: number;
	/** Cuts the round in progress; every finished one is kept. */
	readonly signal: AbortSignal;
	/** A line of progress. */
	readonly say: (text: string) => void;
}

/** The outcome of a call of `collect`. */
export interface Collected {
	/** Names of series finished by this call. */
	readonly finished: readonly string[];
	/** The series in which it stopped, with its stored rounds; null if it stopped between series. */
	readonly begun: { readonly id: string; readonly rounds: number } | null;
	/** Series that could not be measured, with the reason; the others are still measured. */
	readonly failed: readonly { readonly id: string; readonly reason: string }[];
	/** Number of series of the selection that are missing, including failed ones. */
	readonly missing: number;
}

/** Returns the items of the agenda whose name contains `only`. */
export function selectItems(only: string): Item[] {
	return planAgenda().filter(({ id }) => id.includes(only));
}

/**
 * Measures the series of the agenda that the folder lacks, one after the other, and returns the outcome. Continues a
 * series that an earlier call began, and goes on after one that cannot be measured.
 */
export async function collect({ folder, only, minutes, signal, say }: CollectOptions): Promise<Collected> {
	const began = performance.now();
	for (const { file, reason } of (await readAllSeries(folder)).skipped) {
		if (file.includes(only)) say(`${file} cannot be read: ${reason}; move it away to measure it anew`);
	}
	const hasTime = () => !signal.aborted && performance.now() - began < minutes * 60_000;
	const missing = selectItems(only).filter(({ id }) => !isFinished(folder, id));
	const finished: string[] = [];
	const failed: { id: string; reason: string }[] = [];
	let current: Item | undefined;
	if (missing.length > 0) {
		const janitor = await startJanitor();
		const node = findNode(undefined);
		const cacheFolder = findCacheFolder();
		const bench = await openBench({ cacheFolder, node, janitor, signal });
		const tools = { janitor, bench, node, signal, progress: { step: say, status() {} } };
		const places = { cwd: process.cwd(), toolRoot: TOOL_ROOT, cacheFolder, folder };
		try {
			for (const item of missing) {
				if (!hasTime()) break;
				current = item;
				try {
					const isDone = await measureItem(item, { ...tools, ...places, hasTime });
					say(`${item.id}: ${isDone ? 'finished' : 'to be continued'}`);
					if (!isDone) continue;
					finished.push(item.id);
				} catch (error) {
					if (signal.aborted) break;
					const reason = error instanceof Error ? error.message : String(error);
					failed.push({ id: item.id, reason });
					say(`${item.id}: failed: ${reason}`);
				}
				current = undefined;
			}
		} finally {
			await bench.close();
			await janitor.close();
		}
	}
	const begun = current ? { id: current.id, rounds: await countRounds(folder, current.id) } : null;
	return { finished, begun, failed, missing: missing.length - finished.length };
}
