/**
 * Do bench servers of one revision (`harness`) measure both sides alike? Measures a workspace whose release has no
 * bench servers, and a later commit of main with the same code, by `benchgate baseline` with the release as anchor, and
 * again with swapped sides. Half the sum of both is the bias of a side; half the difference is the change between the
 * commits, which should be 0. Needs `npm run dist`.
 * Options: --budget 4m (of each direction) --pairs 1; --compare uses `benchgate compare`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { TOOL_ROOT } from '../src/process/entries.ts';
import { Z95 } from '../src/stats/distributions.ts';
import type { BaselineRecord } from '../src/types/baseline.ts';
import type { Result } from '../src/types/result.ts';
import { runGit } from '../test/support/act/tiny-framework.ts';

const { values: flags } = parseArgs({
	options: {
		budget: { type: 'string', default: '4m' },
		pairs: { type: 'string', default: '1' },
		compare: { type: 'boolean', default: false },
	},
});

/** Largest bias allowed, as a log ratio. */
const ALLOWED = 0.003;
const CLI = join(TOOL_ROOT, 'dist/cli.js');
const LIB = `export function answer(path) {
	const items = Array.from({ length: 50 }, (_, id) => ({ id, path, price: id * 1.5 }));
	return JSON.stringify(items);
}
`;
const SERVER = `import { createServer } from 'node:http';
import { answer } from '@acme/api';
createServer((request, response) => {
	response.setHeader('content-type', 'application/json');
	response.end(answer(request.url));
}).listen(process.env.PORT, process.env.HOST);
`;
const CONFIG = {
	harness: ['bench'],
	subject: 'packages/api',
	prepare: 'npm install --no-audit --no-fund',
	servers: [{ name: 'api', command: 'node server.mjs', cwd: 'bench' }],
	scenarios: [{ name: 'items', request: { path: '/items' }, expect: { status: 200 } }],
};
const RELEASE = {
	'package.json': JSON.stringify({ name: 'acme', private: true, workspaces: ['packages/*'] }),
	'packages/api/package.json': JSON.stringify({ name: '@acme/api', version: '1.0.0', exports: './index.mjs' }),
	'packages/api/index.mjs': LIB,
};
const LATER = { 'bench/server.mjs': SERVER, 'benchgate.yml': JSON.stringify(CONFIG), 'README.md': '# Acme\n' };

interface Measured {
	readonly theta: number;
	readonly se: number;
	readonly rounds: number;
}

function makeRepository(): string {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-harness-'));
	const commit = (name: string, files: Readonly<Record<string, string>>) => {
		for (const [path, text] of Object.entries(files)) {
			mkdirSync(dirname(join(folder, path)), { recursive: true });
			writeFileSync(join(folder, path), text);
		}
		runGit(folder, 'add', '--all');
		runGit(folder, 'commit', '--quiet', '--message', name);
		runGit(folder, 'tag', name);
	};
	runGit(folder, 'init', '--quiet');
	commit('v1.0.0', RELEASE);
	commit('later', LATER);
	return folder;
}

/** Head against base: negative if head is slower. */
function measure(cwd: string, base: string, head: string, seed: number): Measured {
	const out = 'measured.json';
	const { budget } = flags;
	const common = ['--budget', budget, '--seed', String(seed), '--json', out];
	const revisions = flags.compare
		? [
				'compare',
				'--base',
				base,
				'--head',
				head,
				'--threshold',
				'0.5%',
				'--rounds',
				'200',
				'--skip-unaffected',
				'false',
			]
		: ['baseline', '--anchor', base, '--head', head, '--precision', '0.1%', '--store', 'dir:none'];
	const { status, stderr } = spawnSync(process.execPath, [CLI, ...revisions, ...common], { cwd, encoding: 'utf8' });
	if (status !== 0 && status !== 1) throw new Error(`benchgate ended with ${status}: ${stderr}`);
	const [line = ''] = readFileSync(join(cwd, out), 'utf8').split('\n');
	if (!flags.compare) {
		const [cell] = (JSON.parse(line) as BaselineRecord).cells;
		return { theta: cell?.theta ?? Number.NaN, se: cell?.se ?? Number.NaN, rounds: cell?.rounds ?? 0 };
	}
	const [cell] = (JSON.parse(readFileSync(join(cwd, out), 'utf8')) as Result).cells;
	const { change, interval, rounds } = cell ?? {};
	const [low, high] = [Math.log1p(interval?.low ?? Number.NaN), Math.log1p(interval?.high ?? Number.NaN)];
	// The interval is a 90 % one.
	return { theta: Math.log1p(change ?? Number.NaN), se: (high - low) / (2 * 1.645), rounds: rounds ?? 0 };
}

const percent = (value: number) => `${(100 * value).toFixed(2)} %`;
const show = (name: string, theta: number, se: number, more = '') =>
	process.stdout.write(
		`${name}: ${percent(theta)} [${percent(theta - Z95 * se)} … ${percent(theta + Z95 * se)}]${more}\n`,
	);

const folder = makeRepository();
try {
	const biases: Measured[] = [];
	for (let pair = 1; pair <= Number(flags.pairs); pair++) {
		const forward = measure(folder, 'v1.0.0', 'later', 2 * pair);
		show('later against v1.0.0', forward.theta, forward.se, `, ${forward.rounds} rounds`);
		const swapped = measure(folder, 'later', 'v1.0.0', 2 * pair + 1);
		show('v1.0.0 against later', swapped.theta, swapped.se, `, ${swapped.rounds} rounds`);
		const se = Math.hypot(forward.se, swapped.se) / 2;
		show('  the commits differ by', (forward.theta - swapped.theta) / 2, se);
		biases.push({ theta: (forward.theta + swapped.theta) / 2, se, rounds: forward.rounds + swapped.rounds });
	}
	const theta = biases.reduce((sum, bias) => sum + bias.theta, 0) / biases.length;
	const se = Math.sqrt(biases.reduce((sum, bias) => sum + bias.se ** 2, 0)) / biases.length;
	const rounds = biases.reduce((sum, bias) => sum + bias.rounds, 0);
	const verdict =
		Math.abs(theta) + Z95 * se <= ALLOWED
			? 'within ±0.3 %'
			: Math.abs(theta) - Z95 * se > ALLOWED
				? 'more than ±0.3 %'
				: 'not known to ±0.3 %: measure longer';
	show(`bias of head over ${rounds} rounds`, theta, se, `: ${verdict}`);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
