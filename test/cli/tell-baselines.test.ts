/** Which comparisons on a command line read baselines: real repositories, without measurements. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { tellBaselines } from '../../src/cli/compare-command.ts';
import { baselinePath, renderBaseline } from '../../src/formats/baseline/baseline-file.ts';
import type { RevisionInfo } from '../../src/types/result.ts';
import { STEADY } from '../action/receive/raw-cases.ts';
import { syntheticRecords } from '../support/baselines/records.ts';

const GATE = { onInconclusive: 'pass', metrics: ['throughput'] } as const;
const TOOLS = { janitor: { guardDirectory: () => () => {} }, signal: new AbortController().signal };
const RECORDS = syntheticRecords({ seed: 4, commits: 12, cells: ['app/home'] });

/** A repository without a remote; its folders are removed after the test. */
function repository(t: TestContext): { readonly folder: string; git: (...args: string[]) => void } {
	const root = mkdtempSync(join(tmpdir(), 'benchgate-tell-'));
	const { BENCHGATE_CACHE: before } = process.env;
	process.env.BENCHGATE_CACHE = join(root, 'cache');
	t.after(() => {
		if (before === undefined) delete process.env.BENCHGATE_CACHE;
		else process.env.BENCHGATE_CACHE = before;
		rmSync(root, { recursive: true, force: true });
	});
	const folder = join(root, 'work');
	mkdirSync(folder);
	const git = (...args: string[]) =>
		void execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], { cwd: folder });
	git('init', '--quiet');
	git('commit', '--quiet', '--allow-empty', '--message', 'one');
	return { folder, git };
}

function writeRecords(folder: string): void {
	for (const record of RECORDS) {
		const file = join(folder, baselinePath(record));
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, renderBaseline(record));
	}
}

/** Raw data of sides of these kinds. */
function rawOf(base: RevisionInfo['kind'], head: RevisionInfo['kind']): typeof STEADY {
	const { context } = STEADY;
	return {
		...STEADY,
		context: { ...context, base: { ...context.base, kind: base }, head: { ...context.head, kind: head } },
	};
}

const tell = (cwd: string, raw = rawOf('git', 'dir'), store = 'branch:benchgate') =>
	tellBaselines(raw, { cwd, store, gate: GATE }, TOOLS);

test('a missing store is silent, and a missing remote is a warning', async (t) => {
	const { folder, git } = repository(t);
	assert.deepEqual(await tell(folder), rawOf('git', 'dir'));
	git('remote', 'add', 'origin', join(folder, 'nowhere.git'));
	const { context } = await tell(folder);
	assert.equal(context.baselines, undefined);
	assert.deepEqual(
		context.warnings.map(({ code }) => code),
		['baselines-unread'],
	);
	assert.match(
		context.warnings[0]?.message ?? '',
		/^No baselines of the main branch could be read: .*nowhere\.git.*\.$/,
	);
});

test('a gate that enforces drift without baselines explains how to measure and store one', async (t) => {
	const { folder } = repository(t);
	const gate = { ...GATE, drift: 'enforce' } as const;
	const { context } = await tellBaselines(rawOf('git', 'dir'), { cwd: folder, store: 'dir:kept', gate }, TOOLS);
	assert.match(context.warnings[0]?.message ?? '', /: benchgate baseline --save --store dir:kept$/);
});

test('a folder of this machine can be the store, and foreign files in it are named', async (t) => {
	const { folder } = repository(t);
	writeRecords(join(folder, 'kept'));
	const { context } = await tell(folder, rawOf('git', 'git'), 'dir:kept');
	assert.deepEqual(
		context.baselines?.rows.map(({ server, scenario, anchor }) => `${server}/${scenario} ${anchor}`),
		['app/home v1.0.0'],
	);
	assert.deepEqual(context.warnings, []);
	writeFileSync(join(folder, 'kept/other.json'), '{}');
	const beside = await tell(folder, rawOf('git', 'git'), 'dir:kept');
	assert.equal(beside.context.baselines?.rows.length, 1);
	assert.match(beside.context.warnings[0]?.message ?? '', /1 file left out, such as other\.json: /);
});

test('revisions from elsewhere and interrupted runs get no baselines', async (t) => {
	const { folder } = repository(t);
	writeRecords(join(folder, 'kept'));
	for (const raw of [rawOf('npm', 'npm'), rawOf('dir', 'dir'), rawOf('git', 'npm'), rawOf('file', 'git')]) {
		assert.deepEqual(await tell(folder, raw, 'dir:kept'), raw);
	}
	const interrupted = { ...rawOf('git', 'git'), ended: 'interrupted' as const };
	assert.deepEqual(await tell(folder, interrupted, 'dir:kept'), interrupted);
});
