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

test('a scenario that asks for nothing leaves servers as they are', () => {
	assert.equal(hostServer(prepared, 'express', {}, { folder }), prepared);
});

test('workers get all CPUs, and only the side that is loaded has any', () => {
	const made = hostServer(prepared, 'express', { workers: 4 }, { only: 'head', folder });
	assert.deepEqual(programOf(made, 'head'), {
		argv: ['../shared/hosting/cluster.mjs', 'behaviour.mjs'],
		env: { BEHAVIOUR: 'slow-start', WORKERS: '4' },
		takesAllCpus: true,
	});
	assert.deepEqual(programOf(made, 'base'), programOf(prepared, 'base'));
});

test('who is asked without a socket is run so on both sides', () => {
	const made = hostServer(prepared, 'express', { inProcess: true }, { folder });
	for (const side of ['base', 'head'] as const) {
		const { argv, takesAllCpus } = programOf(made, side);
		assert.deepEqual([argv, takesAllCpus], [['../shared/hosting/in-process.mjs', 'behaviour.mjs'], undefined]);
	}
});

test('who is reloaded runs under a watcher in development mode, each side with a content of its own', () => {
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

test('a shell command is not taken apart', () => {
	const shell = { ...(prepared.sides.head.servers.express ?? assert.fail()), run: { shell: './api' } };
	const own = {
		...prepared,
		sides: { ...prepared.sides, head: { ...prepared.sides.head, servers: { express: shell } } },
	};
	assert.throws(() => hostServer(own, 'express', { workers: 2 }, { folder }), /no program of Node's/);
});
