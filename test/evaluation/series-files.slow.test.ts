import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Series } from '../../evaluation/series.ts';
import {
	countRounds,
	isFinished,
	openJournal,
	readAllSeries,
	readBeginning,
	writeSeries,
} from '../../evaluation/series-files.ts';
import { headerLine, parseSeries, roundLine } from '../../evaluation/series-text.ts';
import { journalSeries } from './support/journal-series.ts';
import { syntheticSeries } from './support/series.ts';

const WRITER = fileURLToPath(new URL('support/journal-writer.ts', import.meta.url));
const SERIES = readBack(syntheticSeries({ id: 'made', rounds: 3, designs: ['duet', 'alternating'] }));
const JOURNAL = 'made.journal.ndjson';

function textOf(series: Series): string {
	return [headerLine(series), ...series.rounds.map(roundLine)].map((line) => `${line}\n`).join('');
}

/** The series with the digits that a file keeps. */
function readBack(series: Series): Series {
	return parseSeries(textOf(series));
}

function makeFolder(scope: TestContext): string {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-series-'));
	scope.after(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** A journal with the first `rounds` rounds, as an interrupted call leaves it, followed by `tail`. */
function leaveJournal(folder: string, rounds: number, tail: string): string {
	const path = join(folder, JOURNAL);
	writeFileSync(path, textOf({ ...SERIES, rounds: SERIES.rounds.slice(0, rounds) }) + tail);
	return path;
}

test('a finished journal reads back as its series, and leaves no other file', async (scope) => {
	const folder = makeFolder(scope);
	const journal = await openJournal(folder, SERIES);
	for (const [index, round] of SERIES.rounds.entries()) {
		await journal.append(round);
		assert.equal(await countRounds(folder, 'made'), index + 1);
	}
	assert.equal(isFinished(folder, 'made'), false);
	await journal.finish();
	assert.equal(isFinished(folder, 'made'), true);
	assert.deepEqual(readdirSync(folder), ['made.ndjson.gz']);
	assert.deepEqual(await readAllSeries(folder), { series: [SERIES], skipped: [] });
});

test('the same series gives the same file, byte for byte', async (scope) => {
	const folder = makeFolder(scope);
	await writeSeries(folder, SERIES);
	const first = readFileSync(join(folder, 'made.ndjson.gz'));
	await writeSeries(folder, parseSeries(gunzipSync(first).toString()));
	assert.deepEqual(readFileSync(join(folder, 'made.ndjson.gz')), first);
});

test('a journal cut off anywhere in a line continues without losing a finished round', async (scope) => {
	const folder = makeFolder(scope);
	const [line = ''] = SERIES.rounds.slice(2, 3).map(roundLine);
	for (const length of [0, 1, Math.floor(line.length / 2), line.length]) {
		const path = leaveJournal(folder, 2, line.slice(0, length));
		assert.equal(await countRounds(folder, 'made'), 2);
		assert.equal(await readBeginning(folder, 'made'), Date.UTC(2026, 0, 1));
		const journal = await openJournal(folder, { ...SERIES, createdAt: 'later' });
		assert.deepEqual(journal.series, { ...SERIES, rounds: SERIES.rounds.slice(0, 2) });
		for (const round of SERIES.rounds.slice(2)) await journal.append(round);
		assert.equal(readFileSync(path, 'utf8'), textOf(SERIES));
	}
});

test('a journal cut off in its header, or empty, starts again', async (scope) => {
	const folder = makeFolder(scope);
	for (const length of [0, 1, headerLine(SERIES).length]) {
		writeFileSync(join(folder, JOURNAL), headerLine(SERIES).slice(0, length));
		assert.equal(await countRounds(folder, 'made'), 0);
		assert.equal(await readBeginning(folder, 'made'), null);
		const journal = await openJournal(folder, SERIES);
		assert.deepEqual(journal.series.rounds, []);
		await journal.append(SERIES.rounds[0] as Series['rounds'][number]);
		assert.equal((await openJournal(folder, SERIES)).series.rounds.length, 1);
		rmSync(join(folder, JOURNAL));
	}
});

test('a journal with an unreadable line is named and left unchanged', async (scope) => {
	const folder = makeFolder(scope);
	const path = leaveJournal(folder, 2, 'no json\n');
	const before = readFileSync(path, 'utf8');
	await assert.rejects(openJournal(folder, SERIES), {
		message: `${path}: line 4 is not JSON; move it away to measure the series anew`,
	});
	assert.equal(readFileSync(path, 'utf8'), before);
});

test('a journal of another plan, machine or set of packages is named and left unchanged', async (scope) => {
	const folder = makeFolder(scope);
	const path = leaveJournal(folder, 2, '{"round":3,');
	const before = readFileSync(path, 'utf8');
	const { environment, plans, versions } = SERIES;
	const others: readonly [string, Partial<Series>][] = [
		['another plan', { plans: plans.map((plan) => ({ ...plan, timing: { ...plan.timing, windows: 9 } })) }],
		['another plan', { effect: { kind: 'servers', base: 'koa', head: 'hono' } }],
		['other packages', { versions: { ...versions, head: { koa: '9.9.9' } } }],
		[`Node ${environment.node}`, { environment: { ...environment, node: '99.0.0' } }],
		['another machine', { environment: { ...environment, cpuModel: 'abacus' } }],
	];
	for (const [changed, header] of others) {
		await assert.rejects(openJournal(folder, { ...SERIES, ...header }), {
			message: `${path}: it was begun with ${changed}; move it away to measure the series anew`,
		});
	}
	assert.equal(readFileSync(path, 'utf8'), before);
});

test('unreadable files are named with the reason, and the others are read', async (scope) => {
	const folder = makeFolder(scope);
	await writeSeries(folder, SERIES);
	const text = textOf(SERIES);
	const [header = '', ...rounds] = text.split('\n');
	const later = headerLine({ ...SERIES, version: 2 as 1 });
	const put = (name: string, content: string | Buffer) => {
		writeFileSync(join(folder, `${name}.ndjson.gz`), typeof content === 'string' ? gzipSync(content) : content);
	};
	put('bad-gzip', Buffer.from('this was never compressed'));
	put('cut-gzip', gzipSync(text).subarray(0, 200));
	put('empty', '');
	put('headless', `${rounds.join('\n')}`);
	put('later', [later, ...rounds].join('\n'));
	put('no-json', [header, rounds[0], 'oops', ...rounds].join('\n'));
	put('no-plans', `${JSON.stringify({ ...JSON.parse(header), plans: null })}\n`);
	put('no-round', [header, '{"round":1,"cells":[{"windows":[null]}]}', ''].join('\n'));
	put('null', [header, 'null', ''].join('\n'));
	put('cut-line', text.slice(0, -1));
	const changed = (change: (round: Record<string, unknown>) => void) => {
		const round = JSON.parse(rounds[1] ?? '');
		change(round);
		return [header, rounds[0], JSON.stringify(round), ''].join('\n');
	};
	put(
		'no-seconds',
		changed((round) => delete round.seconds),
	);
	put(
		'no-faults',
		changed((round) => delete (round.cells as [Record<string, unknown>])[0].faults),
	);
	put('copy', text);
	const effect = { kind: 'injection', drop: null };
	put('half-effect', `${JSON.stringify({ ...JSON.parse(header), effect })}\n`);
	put('no-effect', `${JSON.stringify({ ...JSON.parse(header), effect: undefined })}\n`);
	writeFileSync(join(folder, 'other.txt'), 'not ours');
	const { series, skipped } = await readAllSeries(folder);
	assert.deepEqual(series, [SERIES]);
	assert.deepEqual(
		skipped.map(({ file, reason }) => [file.replace('.ndjson.gz', ''), reason]),
		[
			['bad-gzip', 'incorrect header check'],
			['copy', `it is a copy of the series ${SERIES.id}`],
			['cut-gzip', 'unexpected end of file'],
			['cut-line', 'its last line is cut off'],
			['empty', 'the file is empty'],
			['half-effect', "line 1: /effect must have required property 'injection'"],
			['headless', 'line 1 is not the header of a series'],
			['later', 'it has version 2; this program reads version 1'],
			['no-effect', "line 1: must have required property 'effect'"],
			['no-faults', "line 3: /cells/0 must have required property 'faults'"],
			['no-json', 'line 3 is not JSON'],
			['no-plans', 'line 1 is not the header of a series'],
			['no-round', 'line 2 is not a round'],
			['no-seconds', "line 3: must have required property 'seconds'"],
			['null', 'line 2 is not a round'],
		],
	);
});

test('a missing folder holds no series', async (scope) => {
	assert.deepEqual(await readAllSeries(join(makeFolder(scope), 'nowhere')), { series: [], skipped: [] });
});

test('kill -9 of a process that writes costs no round that it has reported', async (scope) => {
	const folder = makeFolder(scope);
	const series = journalSeries();
	let kept = 0;
	for (const rounds of [1, 100, 333]) {
		const printed = await runWriter(folder, (text) => countOf(text) >= rounds);
		assert.match(printed, new RegExp(`^found ${kept}\n`));
		assert.doesNotMatch(printed, /finished/);
		const there = await countRounds(folder, series.id);
		// A round may be written but not reported yet.
		assert.ok(there >= kept + countOf(printed) && there > kept, `${there} of ${kept} + ${countOf(printed)} rounds`);
		kept = there;
	}
	const printed = await runWriter(folder, () => false);
	assert.match(printed, new RegExp(`^found ${kept}\n[^]*finished\n$`));
	const { series: read, skipped } = await readAllSeries(folder);
	assert.deepEqual(skipped, []);
	assert.deepEqual(read, [readBack(series)]);
});

/** Runs the writer until `isEnough` of what it printed, then kills it; returns what it printed. */
async function runWriter(folder: string, isEnough: (printed: string) => boolean): Promise<string> {
	const child = spawn(process.execPath, [WRITER, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
	const closed = once(child, 'close');
	let printed = '';
	for await (const piece of child.stdout.setEncoding('utf8')) {
		printed += piece;
		if (isEnough(printed)) child.kill('SIGKILL');
	}
	await closed;
	return printed.slice(0, printed.lastIndexOf('\n') + 1);
}

function countOf(printed: string): number {
	return printed.match(/^kept /gm)?.length ?? 0;
}
