import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeComparison } from '../../src/cli/compare-command.ts';
import { type ConfigFile, parseConfig } from '../../src/config/file/parse-config.ts';
import { resolveCompare } from '../../src/config/resolve-request.ts';
import { CATALOGUE } from '../config/example-catalogue.ts';

const describe = (flags: Readonly<Record<string, string>>, file: ConfigFile | null = null) =>
	describeComparison(
		resolveCompare(file, { base: 'main', head: '.', server: 'express', ...flags }, undefined, CATALOGUE, () => 7),
	).split('\n');

test('a dry run lists cells, the time of each part, and which of it is an estimate', () => {
	const lines = describe({ scenario: 'ping,json-post' });
	assert.deepEqual(lines.slice(0, 3), [
		'1 server: express',
		'2 scenarios: ping, json-post',
		'2 cells, each on base and head.',
	]);
	assert.match(lines[4] ?? '', /^Install and build {4}about 1 min 30 s: an estimate/);
	// Four rounds: 2.2 s each for fresh servers, 3 s for each cell, and once 1.2 s alone.
	assert.match(
		lines[5] ?? '',
		/^Measuring {12}35 s \(4 rounds, the fewest that decide\) to .* min .*\(\d+ rounds\): estimates$/,
	);
	assert.match(lines[6] ?? '', /^In all {15}3 min to \d+ min$/);
	assert.match(lines.at(-1) ?? '', /^Run it: npx benchgate compare --base main --head \./);
});

test('a budget below the fewest rounds is reported with a sufficient one', () => {
	const lines = describe({ scenario: 'ping,json-post', budget: '20s' });
	assert.match(lines[5] ?? '', / 20 s \(4 rounds.* to 20 s \(the budget\)/);
	assert.match(lines.join('\n'), /\nThe budget is too little for 4 rounds: --budget 1m is enough\.\n/);
});

test('gated counts are part of the time', () => {
	const file = parseConfig('gate: { metrics: [throughput, round-trips] }', 'benchgate.yml', CATALOGUE);
	const lines = describe({ scenario: 'ping,json-post' }, file);
	assert.match(lines[5] ?? '', /^Measuring {12}45 s \(4 rounds/);
	assert.equal(lines[6], '  of which counting  10 s, after all rounds');
});
