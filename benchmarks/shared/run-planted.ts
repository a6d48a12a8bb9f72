/** Compares a service with a fault planted in head, in a git repository of two commits, by the bundled command line. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOOL_ROOT } from '../../src/process/entries.ts';
import type { Result } from '../../src/types/result.ts';
import { runGit } from '../../test/support/act/tiny-framework.ts';
import { NOTHING } from './gates-table.ts';

const CLI = join(TOOL_ROOT, 'dist/cli.js');
const PLANTED = readFileSync(fileURLToPath(new URL('planted.mjs', import.meta.url)), 'utf8');

export interface PlantedService {
	/** By name; they import `planted.mjs` from their own folder. */
	readonly files: Readonly<Record<string, string>>;
	/** Content of `benchgate.yml`. */
	readonly config: object;
	/** A fault of `planted.mjs`, or NOTHING. */
	readonly planted: string;
	/** Flags of `benchgate compare` besides the revisions. */
	readonly flags: readonly string[];
}

/** Returns the outcome of the comparison and its exit code. Throws without a result. */
export async function runPlanted(service: PlantedService): Promise<Pick<Result, 'cells'> & { code: number | null }> {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-planted-'));
	try {
		makeRepository(folder, service);
		const revisions = ['--base', 'base', '--head', 'head', '--skip-unaffected', 'false', '--explain', 'never'];
		const args = ['compare', ...revisions, ...service.flags, '--json', 'result.json'];
		const child = spawn(process.execPath, [CLI, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
		const [code] = (await once(child, 'exit')) as [number | null];
		const written = join(folder, 'result.json');
		if (!existsSync(written)) throw new Error(`a head with ${service.planted} ended with ${code} and wrote no result`);
		const { cells } = JSON.parse(readFileSync(written, 'utf8')) as Result;
		return { cells, code };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function makeRepository(folder: string, { files, config, planted }: PlantedService): void {
	const commit = (branch: string, changed: Readonly<Record<string, string>>) => {
		runGit(folder, 'checkout', '--quiet', '-b', branch);
		for (const [name, text] of Object.entries(changed)) writeFileSync(join(folder, name), text);
		runGit(folder, 'add', '--all');
		runGit(folder, 'commit', '--quiet', '--allow-empty', '--message', branch);
	};
	runGit(folder, 'init', '--quiet');
	// JSON is YAML too.
	commit('base', { ...files, 'planted.mjs': PLANTED, planted: '', 'benchgate.yml': JSON.stringify(config) });
	commit('head', { planted: planted === NOTHING ? '' : planted });
}
