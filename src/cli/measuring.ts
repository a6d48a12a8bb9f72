import envPaths from 'env-paths';
import type { OptionTexts } from '../config/option-names.ts';
import { findNode } from '../measure/machine.ts';
import { createProgress } from '../output/progress.ts';
import { monotonicSeconds } from '../process/deadline.ts';
import { withInterrupt } from '../process/interrupt.ts';
import { startJanitor } from '../process/janitor.ts';
import { EXIT } from '../types/errors.ts';
import type { Janitor, Progress } from '../types/run-services.ts';
import { logText } from './report-error.ts';

export interface MeasuringFlags extends Pick<OptionTexts, 'node'> {
	readonly quiet?: boolean;
}

export interface Tools {
	readonly cacheFolder: string;
	readonly node: string;
	readonly janitor: Janitor;
	readonly progress: Progress;
	/** Aborts on Ctrl-C, SIGTERM and SIGHUP. */
	readonly signal: AbortSignal;
}

const PLAIN_STATUS_SECONDS = 15;

/**
 * Measures with progress on stderr, then reports. Returns the report's exit code, or an interrupt's without results.
 * Always cleans up. Throws UserError without a Node binary.
 */
export async function measureAndReport<T>(
	flags: MeasuringFlags,
	measure: (tools: Tools) => Promise<T>,
	report: (measured: T, janitor: Janitor) => Promise<number>,
): Promise<number> {
	const node = findNode(flags.node);
	const progress = createProgress(process.stderr, {
		quiet: flags.quiet === true,
		everySeconds: PLAIN_STATUS_SECONDS,
		clock: monotonicSeconds,
		escape: logText,
	});
	const cacheFolder = findCacheFolder();
	const janitor = await startJanitor();
	try {
		const measured = await withInterrupt(progress, (signal) =>
			measure({ cacheFolder, node, janitor, progress, signal }),
		);
		progress.end();
		return await report(measured, janitor);
	} catch (error) {
		progress.end();
		if ((error as Error).name === 'Interrupted') return EXIT.interrupted;
		throw error;
	} finally {
		await janitor.close();
	}
}

export function findCacheFolder(): string {
	return process.env.BENCHGATE_CACHE || envPaths('benchgate', { suffix: '' }).cache;
}
