import assert from 'node:assert/strict';
import { test } from 'node:test';
import { injectHead, injectSides } from '../../src/inject/inject-sides.ts';
import { INJECTION_VARIABLE, type Injection, parseInjection } from '../../src/inject/injection.ts';
import type { Prepared, PreparedServer, PreparedSide } from '../../src/types/prepared.ts';
import type { Side } from '../../src/types/units.ts';

const CPU: Injection = { kind: 'cpu', amount: 0.123456, every: 1 };
const RUN = { argv: ['node', '--v8-pool-size=1', 'server.js'] };

function preparedWith(run: PreparedServer['run']): Prepared {
	const sideOf = (side: Side): PreparedSide => ({
		side,
		info: { revision: 'HEAD', kind: 'git', label: 'HEAD', versions: {} },
		servers: { app: { name: 'app', cwd: `/${side}`, run, env: { MODE: 'fast' }, versions: {} } },
	});
	return { sides: { base: sideOf('base'), head: sideOf('head') }, warnings: [], installs: 0 };
}

function serversOf({ sides }: Prepared): { readonly base: PreparedServer; readonly head: PreparedServer } {
	const { base, head } = { base: sides.base.servers.app, head: sides.head.servers.app };
	assert.ok(base && head);
	return { base, head };
}

function injectionOf({ env }: PreparedServer): Injection {
	return parseInjection(env[INJECTION_VARIABLE] ?? '');
}

test('both sides run the same command with equally long environments, and only head has the effect', () => {
	const { base, head } = serversOf(injectHead(preparedWith(RUN), CPU));
	assert.deepEqual(base.run, head.run);
	assert.ok('argv' in head.run);
	const [node, flag, preload, ...rest] = head.run.argv;
	assert.deepEqual([node, flag, ...rest], ['node', '--import', '--v8-pool-size=1', 'server.js']);
	assert.match(preload ?? '', /^file:\/\/.*\/dist\/inject\.mjs$/);
	assert.deepEqual([injectionOf(base), injectionOf(head)], [{ ...CPU, amount: 0 }, CPU]);
	assert.equal(base.env[INJECTION_VARIABLE]?.length, head.env[INJECTION_VARIABLE]?.length);
	assert.equal(head.env.MODE, 'fast');
	assert.deepEqual([base.cwd, head.cwd], ['/base', '/head']);
});

test('each side can have its own injection', () => {
	const threads: Injection = { ...CPU, kind: 'threadpool' };
	const { base, head } = serversOf(injectSides(preparedWith(RUN), { base: CPU, head: threads }));
	assert.deepEqual([injectionOf(base), injectionOf(head)], [CPU, threads]);
	assert.equal(base.env[INJECTION_VARIABLE]?.length, head.env[INJECTION_VARIABLE]?.length);
});

test('a command that does not start Node is refused', () => {
	assert.throws(() => injectHead(preparedWith({ shell: 'node server.js' }), CPU), {
		message: 'app is a shell command: only Node programs can be injected',
	});
});
