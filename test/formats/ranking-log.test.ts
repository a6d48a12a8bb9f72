import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMeasureLog, renderLogLine } from '../../src/formats/ranking-log.ts';
import { dataOf } from '../../src/rank/read-log.ts';
import { summariseRanking } from '../../src/rank/summarise-ranking.ts';
import type { LogHeader, LogLine } from '../../src/types/ranking/ranking.ts';
import { scriptData, scriptServer, scriptTrials } from '../support/ranking-cases.ts';

const data = scriptData([scriptServer('node-http'), scriptServer('koa')], scriptTrials('koa', 0.8, 0.01));
const { tool, createdAt, seed, setup, precision, environment, servers, reproduce } = data;
const header: LogHeader = { kind: 'benchgate-measure-log', schemaVersion: 1, tool, createdAt, seed, setup, precision };
const session: LogLine = { kind: 'session', environment, servers, unmeasured: [], reproduce };
const samples: LogLine = { kind: 'samples', samples: data.samples };
const end: LogLine = { kind: 'end', ended: 'decided', warnings: [] };
const textOf = (...lines: (LogHeader | LogLine)[]) => lines.map(renderLogLine).join('');

test('a log reads back as measured', () => {
	const log = parseMeasureLog(textOf(header, session, samples, end), 'log');
	assert.deepEqual(log, { header, lines: [session, samples, end] });
	assert.deepEqual(dataOf(log), data);
});

test('steps of a ramp read back; rounds of an older log, without steps, leave the row without them', () => {
	const steps = [10, 50].map((connections) => ({ connections, throughput: 100 * connections, p50: 1.5, p99: null }));
	const stepped = data.samples.map((sample) => {
		const { server, reference } = sample.alone;
		return { ...sample, alone: { server: server && { ...server, steps }, reference } };
	});
	const rampsIn = (...lines: LogLine[]) => {
		const read = dataOf(parseMeasureLog(textOf(header, session, ...lines, end), 'log'));
		return { samples: read.samples, ramps: summariseRanking(read).ramps };
	};
	const line: LogLine = { kind: 'samples', samples: stepped };
	assert.deepEqual(rampsIn(line).samples, stepped);
	assert.deepEqual(rampsIn(line).ramps, [{ server: 'koa', scenario: 'ping', steps, saturation: null }]);
	assert.deepEqual(rampsIn(samples, line).ramps, []);
});

test('a killed run has no end, and lost at most the last line', () => {
	const text = textOf(header, session, samples) + renderLogLine(samples).slice(0, -20);
	const read = dataOf(parseMeasureLog(text, 'log'));
	assert.equal(read.ended, 'interrupted');
	assert.deepEqual(read.samples, data.samples);
});

test('for a server in several runs, the last entry counts', () => {
	const missing = {
		...session,
		servers: [scriptServer('node-http'), scriptServer('koa', { state: 'not-installed', reason: '404' })],
	};
	const read = dataOf(parseMeasureLog(textOf(header, missing, end, session, samples, end), 'log'));
	assert.deepEqual(
		read.servers.map(({ state }) => state),
		['installed', 'installed'],
	);
});

test('a run continued with another precision has that one', () => {
	const again = { ...session, precision: 0.01 };
	const read = dataOf(parseMeasureLog(textOf(header, session, samples, end, again, end), 'log'));
	assert.notEqual(precision, 0.01);
	assert.equal(read.precision, 0.01);
});

test('a line of another program is refused, with its number', () => {
	const broken = (text: string, message: RegExp) =>
		assert.throws(
			() => parseMeasureLog(text, 'measure.ndjson'),
			(error: { where: string; message: string }) => message.test(`${error.where} ${error.message}`),
		);
	broken(textOf(session), /^measure\.ndjson .*does not begin/);
	broken(`${textOf(header)}{"kind":\n`, /^measure\.ndjson:2 .*JSON/);
	broken(textOf(header, { ...samples, samples: [{} as never] }), /^measure\.ndjson:2 .*not as benchgate writes it/);
	broken(textOf({ ...header, schemaVersion: 9 as 1 }), /:1 .*schema version is 9; this benchgate reads version 1/);
	broken(textOf(header, header as never), /second beginning/);
});
