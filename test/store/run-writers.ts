/** Many writers at once, each in its own process, like jobs of a workflow. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import type { GitServer } from './git-server.ts';

/** The outcome of a writer. */
export interface Writer {
	readonly code: number | null;
	/** Number of pushes; null for a killed writer. */
	readonly tries: number | null;
}

export interface Writers {
	readonly writers: readonly Writer[];
	readonly seconds: number;
}

const KILL_EVERY_MS = 150;
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/**
 * Starts `writing` processes that each store one record on the branch `benchgate`, and `killed` more that are ended by
 * kill -9, one after another. They run a bundle, as in a workflow: translating the sources would cost more than the
 * work.
 */
export async function runWriters(server: GitServer, writing: number, killed: number): Promise<Writers> {
	const script = join(server.remote.cacheFolder, '..', 'writer.mjs');
	buildSync({
		entryPoints: [fileURLToPath(new URL('one-writer.ts', import.meta.url))],
		...{ bundle: true, platform: 'node', format: 'esm', outfile: script, banner: { js: REQUIRE } },
	});
	const start = (index: number) =>
		spawn(
			process.execPath,
			[script, server.remote.url, join(server.remote.cacheFolder, String(index)), String(index)],
			{ stdio: ['ignore', 'pipe', 'inherit'] },
		);
	const began = performance.now();
	const writers = Array.from({ length: writing }, (_, index) => start(index));
	const victims = Array.from({ length: killed }, (_, index) => start(writing + index));
	const ends = writers.map(async (writer): Promise<Writer> => {
		const chunks: Buffer[] = [];
		writer.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
		const [code] = (await once(writer, 'close')) as [number | null];
		const tryCount = Number(Buffer.concat(chunks).toString());
		return { code, tries: code === 0 ? tryCount : null };
	});
	for (const [index, victim] of victims.entries()) {
		await delay(KILL_EVERY_MS * index);
		victim.kill('SIGKILL');
	}
	return { writers: await Promise.all(ends), seconds: (performance.now() - began) / 1000 };
}
