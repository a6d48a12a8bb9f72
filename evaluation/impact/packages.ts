/**
 * `npm run eval:impact-packages -- --repositories FOLDER [--only NAME]`: whether a package's slowdown is found after
 * `benchgate init` alone. FOLDER has clones of the repositories of `PACKAGES`. Needs `npm run dist`. For each, head makes
 * every request to the package dearer by a loop of `turns`, about 10 % of a request of the first row.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { TOOL_ROOT } from '../../src/process/entries.ts';

interface Package {
	readonly name: string;
	readonly commit: string;
	readonly file: string;
	/** The loop stands behind it. */
	readonly after: string;
	readonly turns: number;
}

const PACKAGES: readonly Package[] = [
	{
		name: 'compression',
		commit: 'fb4902f',
		file: 'index.js',
		after: 'return function compression (req, res, next) {',
		turns: 6_700,
	},
	{
		name: 'cors',
		commit: '5317ebe',
		file: 'lib/index.js',
		after: 'return function corsMiddleware(req, res, next) {',
		turns: 1_500,
	},
	{
		name: 'serve-static',
		commit: '74be78a',
		file: 'index.js',
		after: 'return function serveStatic (req, res, next) {',
		turns: 3_700,
	},
	{
		name: 'cookie',
		// Later ones build with a package that some registries lack.
		commit: 'v0.7.2',
		file: 'index.js',
		after: 'function parse(str, opt) {',
		turns: 1_500,
	},
	{
		name: 'qs',
		commit: '3a890d4',
		file: 'lib/parse.js',
		after: 'module.exports = function (str, opts) {',
		// With 900 the first row was 5 % slower.
		turns: 1_900,
	},
];

const { values } = parseArgs({
	options: {
		repositories: { type: 'string' },
		only: { type: 'string' },
		budget: { type: 'string', default: '3m' },
		turns: { type: 'string' },
	},
});
if (values.repositories === undefined) {
	console.error('Name the folder of the clones: --repositories FOLDER');
	process.exit(2);
}
for (const each of PACKAGES)
	if (each.name.includes(values.only ?? '')) tryPackage(each, join(values.repositories, each.name));

function tryPackage({ name, commit, file, after, turns }: Package, repository: string): void {
	const folder = mkdtempSync(join(tmpdir(), `impact-${name}-`));
	const git = (...args: string[]) =>
		execFileSync('git', ['-c', 'user.name=eval', '-c', 'user.email=eval@localhost', ...args], {
			cwd: folder,
			stdio: 'pipe',
		});
	const benchgate = (...args: string[]) =>
		spawnSync(process.execPath, [join(TOOL_ROOT, 'dist/cli.js'), ...args], { cwd: folder, encoding: 'utf8' });
	try {
		git('clone', '--quiet', repository, '.');
		git('checkout', '--quiet', '-B', 'tried', commit);
		const began = performance.now();
		const init = benchgate('init', '--yes');
		if (init.status !== 0) {
			console.log(`${name}: init: ${init.stderr.trim()}`);
			return;
		}
		git('add', '--all');
		git('commit', '--quiet', '--no-verify', '-m', 'Add benchgate');
		const path = join(folder, file);
		const text = readFileSync(path, 'utf8');
		if (!text.includes(after)) throw new Error(`${name}: ${file} has no ${after}`);
		const count = Number(values.turns ?? turns);
		const loop = ` for (let turn = 0, sum = 0; turn < ${count}; turn++) { sum = (sum + turn * turn) % 1009; globalThis.planted = sum }`;
		writeFileSync(path, text.replace(after, `${after}\n${loop}`));
		git('commit', '--quiet', '--no-verify', '--all', '-m', 'Make requests dearer');
		const json = join(folder, '.git/result.json');
		const run = benchgate(
			'compare',
			'--base',
			'HEAD~1',
			'--head',
			'HEAD',
			'--budget',
			values.budget,
			'--seed',
			'36',
			'--json',
			json,
		);
		const minutes = ((performance.now() - began) / 60_000).toFixed(1);
		console.log(`\n## ${name}: exit code ${run.status} after ${minutes} min\n${run.stdout}\n${run.stderr}`);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
