import { performance } from 'node:perf_hooks';
import type { Flags } from '../config/resolve-config.ts';
import { exitCode } from '../judge/gate.ts';
import { summarise } from '../judge/summarise.ts';
import { checkWritable, writeOutput } from '../output/write-files.ts';
import { writeReports } from '../output/write-reports.ts';
import { startJanitor } from '../process/janitor.ts';
import { renderRaw } from '../report/raw.ts';
import { runComparison } from '../run.ts';
import { withInterrupt } from '../terminal/interrupt.ts';
import { createProgress } from '../terminal/progress.ts';
import { EXIT } from '../types/errors.ts';
import type { Progress } from '../types/janitor.ts';
import type { Raw } from '../types/result.ts';
import { findCacheFolder } from './cache-folder.ts';
import { findNode } from './find-node.ts';
import { readConfig } from './read-config.ts';
import { describeReproduction } from './reproduce.ts';

/** Flags of `benchgate compare` as the command line gives them. */
export interface CompareFlags extends Flags {
	readonly base: string;
	readonly head: string;
	readonly config?: string;
	readonly node?: string;
	readonly json?: string;
	readonly markdown?: string;
	readonly html?: string;
	readonly raw?: string;
	readonly quiet?: boolean;
}

/** In a log file one status line in so many seconds is enough. */
const PLAIN_STATUS_SECONDS = 15;

/** Runs a comparison, prints the report, writes the files asked for, and returns the exit code. */
export async function runCompareCommand(flags: CompareFlags): Promise<number> {
	const cwd = process.cwd();
	for (const name of ['json', 'markdown', 'html', 'raw'] as const) {
		const path = flags[name];
		if (path !== undefined) checkWritable(`--${name}`, path);
	}
	const config = await readConfig(cwd, flags);
	const node = findNode(flags.node);
	const progress = createProgress(process.stderr, {
		quiet: flags.quiet === true,
		everySeconds: PLAIN_STATUS_SECONDS,
		clock: () => performance.now() / 1000,
	});
	const janitor = await startJanitor();
	try {
		const raw = await withInterrupt(progress, (signal) =>
			runComparison({
				config,
				revisions: { base: flags.base, head: flags.head },
				cwd,
				cacheFolder: findCacheFolder(),
				node,
				reproduce: describeReproduction(flags, config.seed),
				janitor,
				progress,
				signal,
				keep: (partial) => keepPartial(partial, flags.raw, progress),
			}),
		);
		progress.end();
		const result = summarise(raw);
		await writeReports(raw, result, flags);
		return raw.ended === 'interrupted' ? EXIT.interrupted : exitCode(result.gate, config.gate.onInconclusive);
	} catch (error) {
		progress.end();
		if ((error as Error).name === 'Interrupted') return EXIT.interrupted;
		throw error;
	} finally {
		await janitor.close();
	}
}

/** Keeps finished rounds; a disk that is full now may have room at the end, so the run goes on. */
async function keepPartial(raw: Raw, path: string | undefined, progress: Progress): Promise<void> {
	if (path === undefined) return;
	try {
		await writeOutput({ flag: '--raw', path, content: renderRaw(raw) });
	} catch (error) {
		progress.step(`${(error as Error).message} (going on; it is tried again after the next round)`);
	}
}
