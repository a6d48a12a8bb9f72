/** An answerer of almost no cost, for comparing generators. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PreparedServer } from '../../src/types/prepared.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/**
 * Returns an answerer in C, compiled into a folder that the caller removes; without a compiler one on Node, which some
 * generators outrun.
 */
export function makeAnswerer(): { server: PreparedServer; folder: string } {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-answerer-'));
	const program = join(folder, 'answerer');
	const { status } = spawnSync('cc', ['-O2', '-o', program, join(FOLDER, 'raw-answerer.c')], { stdio: 'inherit' });
	const [name, argv] =
		status === 0 ? ['in C', [program]] : ['on Node', [process.execPath, join(FOLDER, 'raw-answerer.mjs')]];
	return { server: { name, cwd: FOLDER, run: { argv }, env: {}, versions: {} }, folder };
}
