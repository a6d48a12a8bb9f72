import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBaseline, renderBaseline } from '../../../src/formats/baseline/baseline-file.ts';
import {
	type BesideReference,
	baselineRecord,
	type RecordContext,
} from '../../../src/judge/baseline/baseline-record.ts';
import type { SoloFigures } from '../../../src/types/baseline.ts';
import { RAW_SCHEMA_VERSION, type Raw } from '../../../src/types/result.ts';
import type { Round } from '../../../src/types/round.ts';
import { anchorOf, commitOf, levelCell, levelOfCommit, MACHINE } from '../../support/baselines/baselines.ts';
import { revisionOf } from '../../support/results.ts';
import { scriptPlan, scriptRounds, spread } from '../../support/rounds.ts';

const REFERENCE: SoloFigures = { throughput: 5000, cpuPerRequest: 20, latencyP50: 0.1, memoryPeak: 5e7, windows: 4 };
const NOT_IDLE = { code: 'not-idle', message: 'It used 5 % of a CPU.' };
const BESIDE: BesideReference = {
	solo: { ...REFERENCE, throughput: 950 },
	reference: REFERENCE,
	share: { value: 0.19, low: 0.18, high: 0.2, rounds: 4 },
	warnings: [NOT_IDLE],
};

function rawOf(rounds: readonly Round[], changes: Partial<Raw> = {}): Raw {
	return {
		schemaVersion: RAW_SCHEMA_VERSION,
		kind: 'benchgate-raw',
		context: {
			tool: { name: 'benchgate', version: '1.2.3' },
			createdAt: '2026-11-22T04:59:00.000Z',
			threshold: 0.05,
			tolerance: 0.025,
			onInconclusive: 'pass',
			base: revisionOf('main@1a2b3c4', '5.0.0'),
			head: revisionOf('faster-router@9f8e7d6', '5.1.0'),
			environment: MACHINE,
			warnings: [{ code: 'busy-machine', message: 'busy' }],
			reproduce: 'npx benchgate baseline',
		},
		plan: scriptPlan(['ping']),
		rounds,
		refused: [],
		ended: 'decided',
		timing: {
			totalSeconds: 1,
			measuringSeconds: 1,
			loadSeconds: 1,
			roundsRun: rounds.length,
			orchestratorPeakBytes: 1,
		},
		...changes,
	};
}

const CONTEXT: RecordContext = {
	purpose: 'level',
	commit: commitOf(3),
	anchor: anchorOf(0),
	run: { id: '1', attempt: 1, url: null },
	subjectDigest: 'abc',
	reference: new Map(),
	earlier: [],
	accepted: null,
	warnings: [{ code: 'anchor-moved', message: 'moved' }],
};

test('a record has the verdict of a comparison and the level of its rounds', () => {
	const d = spread(20, -0.08, 0.02);
	const record = baselineRecord(rawOf(scriptRounds(d.map((one) => ({ d: one, solo: [1000, 900] as const })))), CONTEXT);
	const [cell] = record.cells;
	assert.ok(cell);
	assert.deepEqual([cell.server, cell.scenario, cell.verdict, cell.rounds], ['app', 'ping', 'regressed', 20]);
	assert.ok(Math.abs((cell.theta ?? 0) + 0.08) < 0.005);
	assert.equal(cell.solo?.throughput, 900, "head's figures, not the anchor's");
	assert.deepEqual([cell.reference, cell.ofReference], [null, undefined]);
	assert.deepEqual(
		record.warnings.map(({ code }) => code),
		['busy-machine', 'anchor-moved'],
	);
	assert.deepEqual([record.seed, record.ended, record.subjectDigest], [1, 'decided', 'abc']);
	assert.deepEqual(readBaseline(renderBaseline(record), 'level.json'), { record });
});

test('a cell loaded in turn with the reference takes its figures and share from those windows', () => {
	const rounds = scriptRounds(spread(6, 0, 0.01).map((d) => ({ d, solo: [1000, 900] as const })));
	const record = baselineRecord(rawOf(rounds), { ...CONTEXT, reference: new Map([['app/ping', BESIDE]]) });
	const [cell] = record.cells;
	assert.deepEqual([cell?.solo?.throughput, cell?.reference, cell?.ofReference], [950, REFERENCE, BESIDE.share]);
	assert.ok(cell?.warnings.some(({ code }) => code === 'not-idle'));
	assert.deepEqual(readBaseline(renderBaseline(record), 'level.json'), { record });
	const { share: _, ...unsure } = BESIDE;
	const withShare = baselineRecord(rawOf(rounds), {
		...CONTEXT,
		reference: new Map([['app/ping', { ...unsure, share: null }]]),
	});
	assert.equal(withShare.cells[0]?.ofReference, undefined);
	assert.ok('record' in readBaseline(renderBaseline(withShare), 'older.json'), 'records without a share are read');
});

test('long text of strangers is cut, so that every store accepts the record', () => {
	const long = 'ö'.repeat(30_000);
	const raw = rawOf(scriptRounds(spread(6, 0, 0.01)));
	const warnings = Array.from({ length: 300 }, (_, index) => ({ code: 'strange', message: `${index}` }));
	const record = baselineRecord(
		{ ...raw, context: { ...raw.context, warnings, reproduce: long } },
		{
			...CONTEXT,
			commit: { ...CONTEXT.commit, author: long, label: long, title: long },
			anchor: { ...CONTEXT.anchor, label: long },
			subjectDigest: long,
		},
	);
	const read = readBaseline(renderBaseline(record), 'long.json');
	assert.ok('record' in read, JSON.stringify(read));
	assert.deepEqual([read.record.commit.author?.length, read.record.warnings.length], [200, 200]);
	assert.equal(read.record.cells[0]?.rounds, 6);
});

test('rounds after the verdict count in the level too', () => {
	const rounds = scriptRounds(spread(30, 0, 0.01));
	assert.equal(baselineRecord(rawOf(rounds), CONTEXT).cells[0]?.rounds, 30);
});

test('the spread of earlier records on the same machine narrows the interval', () => {
	const rounds = scriptRounds(spread(6, 0, 0.02));
	const seOf = (environmentId: string) => {
		const cell = levelCell(0, { server: 'app', roundSd: 0.001, rounds: 200 });
		const earlier = [levelOfCommit(1, anchorOf(0), [cell], { environmentId })];
		return baselineRecord(rawOf(rounds), { ...CONTEXT, earlier }).cells[0]?.se ?? 0;
	};
	const { environmentId } = baselineRecord(rawOf(rounds), CONTEXT);
	assert.ok(seOf('elsewhere') > 0.008);
	// Far noisier than before: spreads of calm days do not count.
	assert.equal(seOf(environmentId), seOf('elsewhere'));
	const alike = levelCell(0, { server: 'app', roundSd: 0.019, rounds: 200 });
	const earlier = [levelOfCommit(1, anchorOf(0), [alike], { environmentId })];
	const [cell] = baselineRecord(rawOf(rounds), { ...CONTEXT, earlier }).cells;
	assert.ok((cell?.se ?? 1) < 0.0079, `${cell?.se}`);
});

test('a broken row has no figures and keeps the reason, like one that was never loaded', () => {
	const fault = { code: 'crashed', side: 'head', message: 'the head server crashed' } as const;
	const late = [...spread(8, 0, 0.01), 0].map((d, at) => ({ d, faults: at === 8 ? [fault] : [] }));
	for (const raw of [rawOf(scriptRounds(late)), rawOf([], { refused: [{ cell: 'app/ping', fault }] })]) {
		const [cell] = baselineRecord(raw, CONTEXT).cells;
		assert.ok(cell);
		assert.deepEqual(
			[cell.verdict, cell.theta, cell.se, cell.low, cell.rounds, cell.solo],
			['invalid', null, null, null, 0, null],
		);
		assert.equal(cell.warnings[0]?.message, 'the head server crashed');
	}
});
