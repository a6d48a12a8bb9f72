import { performance } from 'node:perf_hooks';
import type { Flags } from '../config/resolve-config.ts';
import { checkWritable, writeOutput } from '../output/write-files.ts';
import { startJanitor } from '../process/janitor.ts';
import { renderSelftest } from '../report/selftest.ts';
import { renderSelftestJson } from '../report/selftest-json.ts';
import { renderSelftestMarkdown } from '../report/selftest-markdown.ts';
import type { SelftestResult } from '../report/selftest-result.ts';
import { selftestExitCode } from '../selftest/exit-code.ts';
import { readSelftestConfig } from '../selftest/read-config.ts';
import { describeSelftestCommand } from '../selftest/reproduce.ts';
import { runSelftest } from '../selftest/run-selftest.ts';
import { withInterrupt } from '../terminal/interrupt.ts';
import { createProgress } from '../terminal/progress.ts';
import { EXIT } from '../types/errors.ts';
import { findCacheFolder } from './cache-folder.ts';
import { findNode } from './find-node.ts';

/** Flags of `benchgate selftest` as the command line gives them. */
export interface SelftestFlags extends Flags {
	readonly node?: string;
	readonly json?: string;
	readonly markdown?: string;
	readonly quiet?: boolean;
}

/** In a log file one status line in so many seconds is enough. */
const PLAIN_STATUS_SECONDS = 15;
/** Width of the report where the terminal does not say. */
const DEFAULT_WIDTH = 100;

/** Runs a selftest, prints the report, writes the files asked for, and returns the exit code. */
export async function runSelftestCommand(flags: SelftestFlags): Promise<number> {
	for (const name of ['json', 'markdown'] as const) {
		const path = flags[name];
		if (path !== undefined) checkWritable(`--${name}`, path);
	}
	const config = await readSelftestConfig(flags);
	const node = findNode(flags.node);
	const progress = createProgress(process.stderr, {
		quiet: flags.quiet === true,
		everySeconds: PLAIN_STATUS_SECONDS,
		clock: () => performance.now() / 1000,
	});
	const janitor = await startJanitor();
	try {
		const result = await withInterrupt(progress, (signal) =>
			runSelftest({
				config,
				cwd: process.cwd(),
				cacheFolder: findCacheFolder(),
				node,
				reproduce: describeSelftestCommand(config),
				janitor,
				progress,
				signal,
			}),
		);
		progress.end();
		await writeReports(result, flags);
		return selftestExitCode(result);
	} catch (error) {
		progress.end();
		if ((error as Error).name === 'Interrupted') return EXIT.interrupted;
		throw error;
	} finally {
		await janitor.close();
	}
}

async function writeReports(result: SelftestResult, flags: SelftestFlags): Promise<void> {
	const { stdout } = process;
	const colour = stdout.isTTY === true && process.env.NO_COLOR === undefined;
	stdout.write(`${renderSelftest(result, { colour, width: stdout.columns ?? DEFAULT_WIDTH })}\n`);
	const writes = [
		{ flag: '--json', path: flags.json, content: renderSelftestJson(result) },
		{ flag: '--markdown', path: flags.markdown, content: renderSelftestMarkdown(result) },
	].flatMap(({ path, ...file }) => (path === undefined ? [] : writeOutput({ ...file, path })));
	const failed = (await Promise.allSettled(writes)).find((outcome) => outcome.status === 'rejected');
	if (failed) throw failed.reason;
}
