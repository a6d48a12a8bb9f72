import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostServer } from '../../src/measure/start/host-server.ts';
import { prepareFixture } from '../support/short-rounds.ts';

const prepared = prepareFixture({ base: '', head: 'slow-start' });
const folder = '/logs';
const programOf = (made: typeof prepared, side: 'base' | 'head') => {
	const { run, env, takesAllCpus } = made.sides[side].servers.express ?? assert.fail();
	return { argv: 'argv' in run ? run.argv.slice(1) : run.shell, env, takesAllCpus };
};

test('a scenario without special needs leaves servers unchanged', () => {
	assert.equal(hostServer(prepared, 'express', {}, { folder }), prepared);
});

test('workers get all CPUs, and only the loaded side has any', () => {
	const made = hostServer(prepared, 'express', { workers: 4 }, { only: 'head', folder });
	assert.deepEqual(programOf(made, 'head'), {
		argv: ['../shared/hosting/cluster.mjs', 'behaviour.mjs'],
		env: { BEHAVIOUR: 'slow-start', WORKERS: '4' },
		takesAllCpus: true,
	});
	assert.deepEqual(programOf(made, 'base'), programOf(prepared, 'base'));
});

test('a server called without a socket runs so on both sides', () => {
	const made = hostServer(prepared, 'express', { inProcess: true }, { folder });
	for (const side of ['base', 'head'] as const) {
		const { argv, takesAllCpus } = programOf(made, side);
		assert.deepEqual([argv, takesAllCpus], [['../shared/hosting/in-process.mjs', 'behaviour.mjs'], undefined]);
	}
});

test('a reloaded server runs under a watcher in development mode, each side with its own content', () => {
	const made = hostServer(prepared, 'express', { metrics: ['hot-reload'] }, { folder });
	for (const [side, content] of [
		['base', '/logs/content-base.mjs'],
		['head', '/logs/content-head.mjs'],
	] as const) {
		const { argv, env } = programOf(made, side);
		const watched = ['--watch', '--watch-preserve-output', '../shared/hosting/hot-reload.mjs', 'behaviour.mjs'];
		assert.deepEqual(argv, watched);
		assert.deepEqual([env.CONTENT, env.NODE_ENV], [content, 'development']);
	}
});

test('a shell command is not modified', () => {
	const shell = { ...(prepared.sides.head.servers.express ?? assert.fail()), run: { shell: './api' } };
	const shellServer = {
		...prepared,
		sides: { ...prepared.sides, head: { ...prepared.sides.head, servers: { express: shell } } },
	};
	assert.throws(() => hostServer(shellServer, 'express', { workers: 2 }, { folder }), /no program of Node's/);
});
