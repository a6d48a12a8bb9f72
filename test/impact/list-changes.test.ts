import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listChanges } from '../../src/impact/list-changes.ts';
import type { CodeChange } from '../../src/types/impact.ts';

const change = (server: string, line: number, ...cells: string[]): CodeChange => ({
	...{ kind: 'function', name: 'send', path: `${server}/node_modules/send/index.js`, line, side: 'head', cells },
});

test('a change in the trees of two servers counts once, with the cells of both', () => {
	const { changes, notExercised } = listChanges([change('express', 7), change('koa', 7, 'koa/static')], true);
	assert.deepEqual([changes.map(({ cells }) => cells), notExercised], [[['koa/static']], 0]);
});

test('of many changes 100 are listed, those that no row runs first, and the rest counted', () => {
	const many = Array.from({ length: 130 }, (_, line) =>
		change('express', line, ...(line < 40 ? ['express/ping'] : [])),
	);
	const { changes, omitted, notExercised } = listChanges(many, true);
	assert.deepEqual([changes.length, omitted, notExercised], [100, 30, 90]);
	assert.deepEqual([changes[89]?.cells, changes[90]?.cells], [[], ['express/ping']]);
});

test('if a row could not be covered, it is unknown whether rows run a change', () => {
	assert.equal(listChanges([change('express', 7)], false).notExercised, null);
});

test('a module that no row loads is no separate change if rows run its other form', () => {
	const at = (path: string, kind: CodeChange['kind'], ...cells: string[]): CodeChange => ({
		...{ kind, name: path, path: `koa/node_modules/parser/dist/${path}`, line: 1, side: 'head', cells },
	});
	const ran = at('index.mjs', 'function', 'koa/json-post');
	const { changes, notExercised } = listChanges([at('index.js', 'file'), at('other.js', 'file'), ran], true);
	assert.deepEqual([changes.map(({ path }) => path.split('/').at(-1)), notExercised], [['other.js', 'index.mjs'], 1]);
});
