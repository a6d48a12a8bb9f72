import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostServer } from '../../src/measure/start/host-server.ts';
import { prepareFixture } from '../support/short-rounds.ts';

const prepared = prepareFixture({ base: '', head: 'slow-start' });
const programOf = (made: typeof prepared, side: 'base' | 'head') => {
	const { run, env, takesAllCpus } = made.sides[side].servers.express ?? assert.fail();
	return { argv: 'argv' in run ? run.argv.slice(1) : run.shell, env, takesAllCpus };
};

test('a scenario that asks for nothing leaves servers as they are', () => {
	assert.equal(hostServer(prepared, 'express', {}), prepared);
});

test('workers get all CPUs, and only the side that is loaded has any', () => {
	const made = hostServer(prepared, 'express', { workers: 4 }, 'head');
	assert.deepEqual(programOf(made, 'head'), {
		argv: ['../shared/hosting/cluster.mjs', 'behaviour.mjs'],
		env: { BEHAVIOUR: 'slow-start', WORKERS: '4' },
		takesAllCpus: true,
	});
	assert.deepEqual(programOf(made, 'base'), programOf(prepared, 'base'));
});

test('who is asked without a socket is run so on both sides', () => {
	const made = hostServer(prepared, 'express', { inProcess: true });
	for (const side of ['base', 'head'] as const) {
		const { argv, takesAllCpus } = programOf(made, side);
		assert.deepEqual([argv, takesAllCpus], [['../shared/hosting/in-process.mjs', 'behaviour.mjs'], undefined]);
	}
});

test('a shell command is not taken apart', () => {
	const shell = { ...(prepared.sides.head.servers.express ?? assert.fail()), run: { shell: './api' } };
	const own = {
		...prepared,
		sides: { ...prepared.sides, head: { ...prepared.sides.head, servers: { express: shell } } },
	};
	assert.throws(() => hostServer(own, 'express', { workers: 2 }), /no program of Node's/);
});
