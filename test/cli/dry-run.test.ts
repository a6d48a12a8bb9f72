/** The expected duration of a ranking, before it starts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeDryRun } from '../../src/cli/ranking-command.ts';
import { plannedVersions } from '../../src/config/ranking/planned-versions.ts';
import { resolveRanking } from '../../src/config/ranking/resolve-ranking.ts';
import type { Flags } from '../../src/config/read-flags.ts';
import { builtinScenario, CATALOGUE } from '../config/example-catalogue.ts';

const describeRun = (flags: Flags, catalogue = CATALOGUE) => {
	const request = resolveRanking(null, flags, catalogue, () => 7);
	const servers = plannedVersions(request.config, catalogue, () => true);
	return describeDryRun(request, { servers, environment: { node: '24.1.0' } }).split('\n');
};

test('it names the duration of the fewest rounds, of precision on a quiet machine and on a busy one, and the budget', () => {
	const [servers, scenarios, rows, least, precise, budget] = describeRun({});
	assert.equal(servers, '3 servers: express, fastify, node-http');
	assert.equal(scenarios, '2 scenarios: ping, json-post');
	assert.equal(rows, '4 rows, in turn with node-http.');
	// Four rows: 0.7 s to start, 2.7 s to warm up both, and 80 windows of 55 ms each.
	assert.equal(least, '3 rounds take about 1 min 33 s. That is the fewest.');
	assert.equal(
		precise,
		'Until every row reaches ±4 %: about 3 min where a round spreads by 3 % and 6 min where a round spreads by 5 %.',
	);
	assert.equal(budget, 'Measuring ends after 30 min (the budget).');
});

test('a budget too small for the fewest rounds is reported with a sufficient one', () => {
	assert.match(
		describeRun({ budget: '1m' })[5] ?? '',
		/^The budget of 1 min is too little .* --budget 2m is enough, and --shards /,
	);
	assert.match(describeRun({ budget: '1m', trials: '3' })[4] ?? '', /is too little .* --budget 2m is enough/);
	assert.match(describeRun({ budget: '2m' })[5] ?? '', /^Measuring ends after 2 min \(the budget\)\.$/);
});

test('rows of another kind do not make a ranking more precise: both kinds together take as long as each alone', () => {
	const starts = { ...builtinScenario('starts'), metrics: ['cold-start' as const] };
	const catalogue = { ...CATALOGUE, scenarios: [builtinScenario('ping'), starts] };
	const minutesOf = (scenario: string): number => {
		const line = describeRun({ scenario, precision: '1%', budget: '9h', rounds: '1000' }, catalogue)[4];
		const [, hours, minutes] = /about (?:(\d+) h )?(?:(\d+) min )?where a round spreads by 3 %/.exec(line ?? '') ?? [];
		return Number(hours ?? 0) * 60 + Number(minutes ?? 0);
	};
	const [both, ping, start] = [minutesOf('ping,starts'), minutesOf('ping'), minutesOf('starts')];
	assert.ok(ping > 0 && start > 0);
	assert.ok(Math.abs(both - ping - start) <= 1, `${both} min together, ${ping} and ${start} min alone`);
});

test('a number of trials needs no precision, and one round suffices', () => {
	const [, , , time, budget] = describeRun({ trials: '1' });
	assert.deepEqual([time, budget], ['1 round takes about 31 s.', 'Budget: 30 min.']);
});

test('a fixed rate stands beside its scenarios', () => {
	assert.equal(describeRun({ rate: '2000' })[3], 'ping: 2,000 requests/s, however fast they are answered.');
});

test('versions of packages and Node that differ from the page are reported with the flags that select those of the page', () => {
	const notesFor = (flags: Flags) =>
		describeRun({ preset: 'seed-ergo', ...flags }).filter((line) => / versions? |Versions|Node/.test(line));
	// Packages run in the versions of the page unless they are pinned.
	assert.deepEqual(notesFor({}), [
		'Not as on the page: The page ran on Node 22; here it is 24.1.0. `--runtime node@22` takes that one, where a server runs on it.',
	]);
	assert.deepEqual(notesFor({ versions: 'pinned', runtime: 'node@22' }), [
		'Not as on the page: Versions are not those of the page: express 5.3.0 (page: 5.2.1), fastify 5.12.8 (page: 5.8.2). `--package express=5.2.1,fastify=5.8.2` takes those of the page, where the registry has them.',
	]);
	assert.deepEqual(notesFor({ runtime: 'node@22', package: 'express=../express' }), []);
	assert.deepEqual(
		describeRun({}).filter((line) => line.startsWith('Not as')),
		[],
	);
});
