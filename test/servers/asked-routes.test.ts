import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tellAskedPaths } from '../../src/runs/ranking/install-servers.ts';
import { behavingServer } from '../support/servers/servers.ts';
import { describeAsked } from './asked-routes.ts';
import { find } from './contract.ts';

/** The code of servers is JavaScript without types. */
const { askedRoutes, isAsked } = (await import(
	new URL('../../servers/shared/asked-routes.mjs', import.meta.url).href
)) as {
	isAsked(route: string, paths: readonly string[], isMounted?: boolean): boolean;
	askedRoutes<T>(app: T, paths?: string): T;
};

describe('a route is asked for', () => {
	const cases: readonly (readonly [route: string, path: string, isSo: boolean])[] = [
		['/ping', '/ping', true],
		['/ping', '/pings', false],
		['/', '/', true],
		['/', '/ping', false],
		['/users/:id', '/users/u_1?fields=name%2Cemail', true],
		['/users/:id', '/users', false],
		['/users/:id', '/auth/users/u_1', false],
		['/users/:id/posts', '/users/u_1/likes', false],
	];
	for (const [route, path, isSo] of cases)
		test(`${route} by ${path}: ${isSo}`, () => assert.equal(isAsked(route, ['/other', path]), isSo));

	test('the mount point of a route is requested by every path below it', () => {
		assert.ok(isAsked('/routes-10', ['/routes-10/resource-10/42'], true));
		assert.ok(!isAsked('/routes-10', ['/routes-100/resource-10/42'], true));
		assert.ok(!isAsked('/routes-10', ['/routes-10/resource-10/42']));
	});
});

test('calls without a path, and settings that are read, pass unchanged', () => {
	const calls: unknown[][] = [];
	const app = {
		get: (...args: unknown[]) => calls.push(args),
		post: (...args: unknown[]) => calls.push(args),
		use: (...args: unknown[]) => calls.push(args),
	};
	const answer = () => {};
	const limited = askedRoutes(app, '/ping /users');
	assert.equal(limited, app);
	limited.get('/ping', answer);
	limited.get('/json', answer);
	limited.get('json spaces');
	limited.post('/users', answer, answer);
	limited.post('/schema', answer);
	limited.use(answer);
	limited.use('/routes-10', answer);
	assert.deepEqual(calls, [['/ping', answer], ['json spaces'], ['/users', answer, answer], [answer]]);
});

test('no route is left out without a list of requests', () => {
	const app = { get: () => 'taken', post: () => {}, use: () => {} };
	assert.equal(askedRoutes(app, undefined).get, app.get);
});

test('only built-in servers receive the list, with every path of a scenario', () => {
	const servers = [{ kind: 'built-in', name: 'express' } as const];
	const prepared = new Map(['express', 'own'].map((name) => [name, behavingServer('', name)]));
	const withPaths = tellAskedPaths(prepared, servers, ['ping', 'logging', 'conditional-get'].map(find));
	assert.deepEqual(withPaths.get('own'), prepared.get('own'));
	assert.equal(withPaths.get('express')?.env.ASKED_PATHS, '/ping /logging /logged /cached/users/u_123');
});

describeAsked('express');
