import type { OptionTexts } from '../config/option-names.ts';
import { findNode } from '../measure/find-node.ts';
import { createProgress } from '../output/progress.ts';
import { monotonicSeconds } from '../process/deadline.ts';
import { withInterrupt } from '../process/interrupt.ts';
import { startJanitor } from '../process/janitor.ts';
import { EXIT } from '../types/errors.ts';
import type { Janitor, Progress } from '../types/run-services.ts';
import { findCacheFolder } from './cache-folder.ts';

/** Flags of every command that measures. */
export interface MeasuringFlags extends Pick<OptionTexts, 'node'> {
	readonly quiet?: boolean;
}

/** What every command measures with. */
export interface Tools {
	readonly cacheFolder: string;
	/** Node binary that runs the servers. */
	readonly node: string;
	readonly janitor: Janitor;
	readonly progress: Progress;
	/** Aborts on Ctrl-C, SIGTERM and SIGHUP. */
	readonly signal: AbortSignal;
}

/** In a log file one status line in this many seconds is enough. */
const PLAIN_STATUS_SECONDS = 15;

/**
 * Measures, with progress on stderr, and reports what came of it once nothing is drawn over the report any more. Returns the exit
 * code of the report, or that of an interrupt when measuring was cut off with nothing to report. Whatever happens, nothing that
 * measuring has started is left behind. Throws a UserError when there is no Node binary, and what both steps throw.
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
