/** Failures of shards and their messages: docs/shards.md, "When something goes wrong". */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packLatency } from '../../src/formats/raw/packed-histogram.ts';
import { findContradiction } from '../../src/formats/raw/raw-contradiction.ts';
import { parseRaw, renderRaw } from '../../src/formats/raw/raw-file.ts';
import { decide } from '../../src/judge/decide.ts';
import { exitCode } from '../../src/judge/gate.ts';
import { gatherShards, type ShardFile } from '../../src/judge/gather-shards.ts';
import { chartData, summarise } from '../../src/judge/summarise.ts';
import { createRandom } from '../../src/stats/random.ts';
import { isUserError } from '../../src/types/errors.ts';
import type { OneSidedCell } from '../../src/types/plan.ts';
import type { Raw, Result } from '../../src/types/result.ts';
import type { ShardPlan } from '../../src/types/shards.ts';
import { type ShardChanges, shardFilesOf, shardPlanOf, shardRawOf } from '../support/shards.ts';

const IDS = ['express/ping', 'express/json', 'koa/ping', 'koa/json', 'hono/ping', 'hono/json'];
const PLAN = shardPlanOf(IDS, 3);
const SLOW = Math.log(0.85);
/** The cells of each shard. */
const CELLS = PLAN.shards.map(({ cells }) => cells);
const [OF_FIRST = '', OF_SECOND = ''] = [CELLS[0]?.[0], CELLS[1]?.[0]];

function gather(changes: Readonly<Record<number, ShardChanges | null>> = {}, more: readonly ShardFile[] = []): Result {
	return summarise(gatherShards(PLAN, [...shardFilesOf(PLAN, changes), ...more]));
}

function verdictsOf(result: Result): Record<string, string> {
	return Object.fromEntries(result.cells.map((cell) => [`${cell.server}/${cell.scenario}`, cell.verdict]));
}

function saidOf(result: Result, code: string): string[] {
	return result.warnings.flatMap((warning) => (warning.code === code ? [warning.message] : []));
}

test('all shards make one result, in the order of the plan, each row with its shard', () => {
	const result = gather({ 1: { effects: { [OF_FIRST]: SLOW } } });
	assert.deepEqual(Object.keys(verdictsOf(result)), IDS);
	assert.equal(verdictsOf(result)[OF_FIRST], 'regressed');
	assert.equal(result.gate.outcome, 'fail');
	for (const { server, scenario, shard } of result.cells) {
		assert.ok(CELLS[(shard ?? 0) - 1]?.includes(`${server}/${scenario}`));
	}
	assert.deepEqual(
		result.shards?.map(({ shard, state, attempt }) => [shard, state, attempt]),
		[1, 2, 3].map((shard) => [shard, 'complete', 1]),
	);
	assert.deepEqual(result.warnings, []);
});

test('gathering repeats the decisions of each shard to the last bit', () => {
	const files = shardFilesOf(PLAN, { 2: { effects: { [OF_SECOND]: SLOW } } });
	const gathered = gatherShards(PLAN, files);
	for (const { raw } of files) {
		for (const row of decide(raw.plan, raw.rounds, raw.ended).rows) {
			const cell = summarise(gathered).cells.find(({ server, scenario }) => `${server}/${scenario}` === row.cell);
			assert.deepEqual(
				[cell?.verdict, cell?.pRegressed, cell?.change],
				[row.verdict, row.pRegressed, row.estimate?.change],
			);
		}
	}
});

test('the order of the files changes nothing', () => {
	const files = shardFilesOf(PLAN, { 1: { effects: { [OF_FIRST]: SLOW } } });
	assert.deepEqual(gatherShards(PLAN, createRandom(3).shuffle(files)), gatherShards(PLAN, files));
});

test('gathered raw data are a raw file: they are written, read, judged and drawn like those of one machine', () => {
	const raw = gatherShards(PLAN, shardFilesOf(PLAN, { 3: null }));
	const again = parseRaw(renderRaw(raw));
	assert.deepEqual(again, raw);
	assert.equal(findContradiction(again), null);
	assert.deepEqual(summarise(again), summarise(raw));
	const drawn = chartData(again, summarise(again));
	assert.deepEqual(Object.keys(drawn.rounds).sort(), [...(CELLS[0] ?? []), ...(CELLS[1] ?? [])].sort());
});

test('packed latencies change neither the counted files, nor the result, nor the gathered file', () => {
	const files = [...shardFilesOf(PLAN, { 1: { effects: { [OF_FIRST]: SLOW } }, 3: { planHash: 'f'.repeat(64) } })];
	const [plain, packed] = [files, files.map(({ name, raw }) => ({ name, raw: packLatency(raw) }))].map((all) =>
		gatherShards(PLAN, all),
	) as [Raw, Raw];
	assert.deepEqual(summarise(packed), summarise(plain));
	assert.deepEqual(chartData(packed, summarise(packed)), chartData(plain, summarise(plain)));
	assert.equal(renderRaw(packed), renderRaw(plain));
});

test('a missing shard leaves its rows undecided, and the gate follows the others', () => {
	for (const [effects, outcome] of [
		[{}, 'inconclusive'],
		[{ [OF_FIRST]: SLOW }, 'fail'],
	] as const) {
		const result = gather({ 1: { effects }, 3: null });
		for (const id of CELLS[2] ?? []) {
			const row = result.cells.find((cell) => `${cell.server}/${cell.scenario}` === id);
			assert.deepEqual(
				[row?.verdict, row?.pRegressed, row?.warnings.map(({ code }) => code)],
				['inconclusive', null, ['shard-missing']],
			);
			assert.match(row?.warnings[0]?.message ?? '', /^Shard 3 of 3 left no measurement/);
		}
		assert.equal(result.gate.outcome, outcome);
		assert.equal(exitCode(result.gate, 'fail'), 1);
		assert.equal(exitCode(result.gate, 'pass'), outcome === 'fail' ? 1 : 0);
	}
});

test('a shard killed half way does not count, whatever it measured', () => {
	const result = gather({ 1: { cutAfter: 8, effects: { [OF_FIRST]: SLOW } } });
	assert.equal(verdictsOf(result)[OF_FIRST], 'inconclusive');
	assert.equal(result.shards?.[0]?.state, 'cut-off');
	assert.match(result.cells[0]?.warnings[0]?.message ?? '', /^Shard 1 of 3 was cut off before its end/);
});

test('a shard whose budget is spent counts: its rows are open for want of time, and no shard is missing', () => {
	const slow = shardRawOf(PLAN, 1, { cutAfter: 3, complete: true });
	const others = shardFilesOf(PLAN, { 1: null });
	const raw = gatherShards(PLAN, [{ name: 'slow.json', raw: { ...slow, ended: 'budget' } }, ...others]);
	const result = summarise(raw);
	assert.deepEqual([raw.ended, result.shards?.[0]?.state], ['budget', 'complete']);
	for (const id of CELLS[0] ?? []) {
		const row = result.cells.find((cell) => `${cell.server}/${cell.scenario}` === id);
		assert.deepEqual([row?.verdict, row?.rounds], ['inconclusive', 3]);
		assert.ok(!row?.warnings.some(({ code }) => code === 'shard-missing'));
	}
	assert.deepEqual([result.gate.outcome, exitCode(result.gate, 'pass')], ['inconclusive', 0]);
});

test('without a complete shard no row was measured: exit code 3, with the reasons', () => {
	for (const files of [[], shardFilesOf(PLAN, { 1: { cutAfter: 2 }, 2: { planHash: 'f'.repeat(64) }, 3: null })]) {
		assert.throws(
			() => gatherShards(PLAN, files),
			(error) => {
				assert.ok(isUserError(error));
				assert.deepEqual([error.code, error.exitCode], ['no-shards', 3]);
				if (files.length > 0) assert.match(`${error.message} ${error.details}`, /1 was cut off.*it is of another plan/);
				return true;
			},
		);
	}
});

const SKIPPED = {
	...shardPlanOf(['koa/unaffected'], 1).cells[0],
	verdict: 'unaffected',
	reason: 'Unchanged.',
} as const;

test('a red audited row makes rows without measurement red; otherwise they stay unaffected', () => {
	for (const [effects, verdict, outcome] of [
		[{}, 'unaffected', 'pass'],
		[{ [OF_FIRST]: SLOW }, 'removed', 'fail'],
	] as const) {
		const plan = shardPlanOf(IDS, 3, { oneSided: [SKIPPED as OneSidedCell], audited: [OF_FIRST] });
		const raw = parseRaw(renderRaw(gatherShards(plan, shardFilesOf(plan, { 1: { effects } }))));
		const result = summarise(raw);
		assert.deepEqual([findContradiction(raw), result.gate.outcome], [null, outcome]);
		assert.equal(verdictsOf(result)['koa/unaffected'], verdict);
		const isRed = outcome === 'fail';
		const [row] = result.changed?.audit?.rows ?? [];
		assert.deepEqual([row?.cell, result.changed?.audit?.red], [OF_FIRST, isRed]);
		assert.deepEqual(
			saidOf(result, 'audit-red'),
			isRed
				? [
						`The audit of ${OF_FIRST} was red, although none of the code that it runs has changed. So no row counts as unaffected.`,
					]
				: [],
		);
	}
});

test('a duplicate file counts once, without a message', () => {
	const copy = { name: 'copy-of-shard-1.json', raw: shardRawOf(PLAN, 1) };
	assert.deepEqual(gather({}, [copy]), gather());
});

test('the first complete attempt counts, even if a later one is green, and the report names it', () => {
	const red = { effects: { [OF_FIRST]: SLOW } };
	const again = { name: 'a-later-attempt.json', raw: shardRawOf(PLAN, 1, { attempt: 2, draw: 1 }) };
	const result = gather({ 1: red }, [again]);
	assert.equal(verdictsOf(result)[OF_FIRST], 'regressed');
	assert.deepEqual(saidOf(result, 'shard-attempt'), [
		'Shard 1 was measured more than once. Attempt 1 counts, because it is the first that finished. Left out: attempt 2.',
	]);
});

test('a later attempt replaces one that was cut off, and the report names it', () => {
	const again = { name: 'again.json', raw: shardRawOf(PLAN, 1, { attempt: 2, draw: 1 }) };
	const result = gather({ 1: { cutAfter: 3 } }, [again]);
	assert.deepEqual([result.shards?.[0]?.state, result.shards?.[0]?.attempt], ['complete', 2]);
	assert.match(saidOf(result, 'shard-attempt')[0] ?? '', /Attempt 2 counts.*Left out: attempt 1, which was cut off\.$/);
});

/** Why a file of shard 2 does not count, and the message. */
const REFUSED: Readonly<Record<string, readonly [(raw: Raw) => Raw, RegExp]>> = {
	'of another plan': [
		(raw) => ({ ...raw, shard: { ...stampOf(raw), planHash: 'f'.repeat(64) } }),
		/it is of another plan/,
	],
	'of another commit': [
		(raw) => ({ ...raw, context: { ...raw.context, head: { ...raw.context.head, sha: 'f'.repeat(40) } } }),
		/another commit as head/,
	],
	'of an older benchgate': [
		(raw) => ({ ...raw, context: { ...raw.context, tool: { name: 'benchgate', version: '0.0.9' } } }),
		/benchgate 0\.0\.9 measured it/,
	],
	'of no shard': [({ shard: _, ...raw }) => raw, /it is not of a shard/],
	'of a shard that there is not': [(raw) => ({ ...raw, shard: { ...stampOf(raw), shard: 9, of: 9 } }), /no such shard/],
	'with other looks': [
		(raw) => ({ ...raw, plan: { ...raw.plan, looks: [{ rounds: 4, weightRegressed: 1, weightUnchanged: 1 }] } }),
		/not measured as planned/,
	],
	'with a family of its own': [(raw) => ({ ...raw, plan: { ...raw.plan, family: 2 } }), /not measured as planned/],
	'with a wider threshold': [
		(raw) => ({ ...raw, plan: { ...raw.plan, cells: raw.plan.cells.map((cell) => ({ ...cell, threshold: 0.5 })) } }),
		/other cells/,
	],
	'without one of its cells': [
		(raw) => ({ ...raw, plan: { ...raw.plan, cells: raw.plan.cells.slice(1) } }),
		/other cells/,
	],
	'with a cell that it skipped': [
		(raw) => {
			const [first, ...cells] = raw.plan.cells;
			assert.ok(first);
			const skipped = { ...first, verdict: 'same-code' as const, reason: 'It says so.' };
			return { ...raw, plan: { ...raw.plan, cells, oneSided: [skipped] }, rounds: [] };
		},
		/skipped cells that were to be measured/,
	],
	'with rounds that no run has': [(raw) => ({ ...raw, rounds: raw.rounds.slice(1) }), /out of order/],
};

for (const [label, [change, expected]] of Object.entries(REFUSED)) {
	test(`a file ${label} does not count, and its shard is missing`, () => {
		const files = shardFilesOf(PLAN).map((file) =>
			file.raw.shard?.shard === 2 ? { ...file, raw: change(file.raw) } : file,
		);
		const result = summarise(gatherShards(PLAN, files));
		const [message = ''] = saidOf(result, 'shard-refused');
		assert.match(message, /^The file shard-2\.json does not count: /);
		assert.match(message, expected);
		assert.equal(result.shards?.[1]?.state, 'missing');
	});
}

test('different machines of shards are distinguished: changes stand, and each machine is named', () => {
	const result = gather({ 2: { environment: { cpuModel: 'Intel Xeon | 2673\u0007' } } });
	assert.equal(saidOf(result, 'machines-differ').length, 1);
	assert.match(saidOf(result, 'machines-differ')[0] ?? '', /Intel Xeon/);
	assert.ok(!saidOf(result, 'machines-differ')[0]?.includes('\u0007'));
	assert.equal(result.shards?.[1]?.environment?.cpuModel, 'Intel Xeon | 2673\u0007');
	assert.deepEqual(verdictsOf(result), verdictsOf(gather()));
});

test('a cell found on one side only is reported, and the family stays as planned', () => {
	const files = shardFilesOf(PLAN).map((file) =>
		file.raw.shard?.shard === 2 ? { ...file, raw: oneSided(file.raw) } : file,
	);
	const raw = gatherShards(PLAN, files);
	assert.deepEqual([raw.plan.cells.length, raw.plan.oneSided.length, raw.plan.family], [5, 1, 6]);
	assert.equal(findContradiction(raw), null);
	assert.equal(verdictsOf(summarise(raw))[OF_SECOND], 'removed');
});

function oneSided(raw: Raw): Raw {
	const [cell, ...cells] = raw.plan.cells;
	assert.ok(cell);
	const gone = { ...cell, verdict: 'removed' as const, reason: 'Only base has it.' };
	const rounds = raw.rounds.map((round) => ({ ...round, cells: round.cells.filter((turn) => turn.cell !== cell.id) }));
	return { ...raw, plan: { ...raw.plan, cells, oneSided: [gone] }, rounds };
}

/** Tampered gathered raw data, as a reporter could receive them. */
const MEDDLED: Readonly<Record<string, readonly [(raw: Raw, plan: ShardPlan) => Raw, string]>> = {
	'a smaller family': [(raw) => ({ ...raw, plan: { ...raw.plan, family: 1 } }), 'its family is smaller than its rows'],
	'a family beyond its cells': [
		(raw) => ({ ...raw, plan: { ...raw.plan, family: 1000 } }),
		'its family is not the rows of its plan',
	],
	'a cell in two shards': [
		(raw) => ({ ...raw, shards: raw.shards?.map((run) => ({ ...run, cells: IDS })) ?? [] }),
		'two shards have the same cell',
	],
	'a shard left out': [(raw) => ({ ...raw, shards: raw.shards?.slice(0, 2) ?? [] }), 'a cell is of no shard'],
	'shards numbered otherwise': [
		(raw) => ({ ...raw, shards: raw.shards?.toReversed() ?? [] }),
		'its shards are out of order',
	],
	'rounds without a shard': [
		(raw) => ({ ...raw, rounds: raw.rounds.map(({ shard: _, ...round }) => round) }),
		'a round is of no shard that counts',
	],
	'rounds of another shard': [
		(raw) => ({ ...raw, rounds: raw.rounds.map((round) => ({ ...round, shard: 1 })) }),
		'its rounds are out of order',
	],
	'a shard without an end': [
		(raw) => ({ ...raw, shards: raw.shards?.map(({ ended: _, ...run }) => run) ?? [] }),
		'a shard has no end',
	],
};

for (const [label, [change, expected]] of Object.entries(MEDDLED)) {
	test(`gathered raw data with ${label} cannot have come from a run`, () => {
		assert.equal(findContradiction(change(gatherShards(PLAN, shardFilesOf(PLAN)), PLAN)), expected);
	});
}

function stampOf({ shard }: Raw) {
	assert.ok(shard);
	return shard;
}

test('a metric with its own margins keeps them', () => {
	const margins = { throughput: { threshold: 0.3, tolerance: 0.1 } };
	const plan = shardPlanOf(IDS, 3, { gate: { ...PLAN.gate, margins } });
	const files = shardFilesOf(plan, { 1: { effects: { [OF_FIRST]: SLOW } } });
	const result = summarise(gatherShards(plan, files));
	assert.equal(verdictsOf(result)[OF_FIRST] === 'regressed', false, '15 % are allowed');
	assert.ok(result.cells.every(({ threshold }) => threshold === 0.3));
});
