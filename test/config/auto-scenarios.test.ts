import assert from 'node:assert/strict';
import { test } from 'node:test';
import { autoScenarios } from '../../src/config/selection.ts';
import { CATALOGUE } from './example-catalogue.ts';

const AUTO_RUNS = {
	express: [
		{ packages: ['cors'], scenarios: ['validate-10'] },
		{ packages: ['express'], scenarios: ['validate-10', 'json-post', 'ping'] },
	],
	fastify: [{ packages: ['fastify'], scenarios: ['ping'] }],
};
const auto = (subject: string | undefined, server: string, budget = 600) =>
	autoScenarios(subject, [{ kind: 'built-in', name: server }], CATALOGUE, budget, AUTO_RUNS).chosen;

test('auto takes the scenarios that run the subject on a chosen server, core first', () => {
	assert.deepEqual(auto('cors', 'express'), ['validate-10']);
	assert.deepEqual(auto('express', 'express'), ['ping', 'json-post', 'validate-10']);
	assert.deepEqual(auto('fastify', 'express'), ['ping', 'json-post'], 'core, because no chosen server runs it');
	assert.deepEqual(auto(undefined, 'express'), ['ping', 'json-post']);
});

test('auto takes no more scenarios than the budget holds, but at least one', () => {
	assert.deepEqual(auto('express', 'express', 10), ['ping']);
	assert.deepEqual(auto('express', 'express', 50), ['ping', 'json-post']);
	assert.deepEqual(auto('fastify', 'express', 39), ['ping'], 'also of core');
	assert.deepEqual(auto('express', 'express', 75), ['ping', 'json-post', 'validate-10']);
});
