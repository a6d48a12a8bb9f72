/** The end of every mode, in a process started like the runner's: its outputs and their order. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type ModeOutcome, SILENT } from '../../../src/action/modes/mode-outcome.ts';
import { FORMATS } from '../../../src/report/formats.ts';

const MODULE = new URL('../../../src/action/publish/speak.ts', import.meta.url).href;
const SCRIPT = `
import { endStep, sayOutcome } from '${MODULE}';
const outcome = JSON.parse(process.env.OUTCOME);
const warnings = [];
await sayOutcome({ warnings }, outcome);
console.log('after', JSON.stringify(warnings.map(({ code }) => code)));
endStep(outcome);
`;

function end(t: TestContext, outcome: Partial<ModeOutcome>, environment: Readonly<Record<string, string>> = {}) {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-outcome-'));
	t.after(() => rmSync(folder, { recursive: true }));
	const files = { GITHUB_OUTPUT: join(folder, 'outputs'), GITHUB_STEP_SUMMARY: join(folder, 'summary') };
	for (const path of Object.values(files)) writeFileSync(path, '');
	const env = { ...files, OUTCOME: JSON.stringify({ ...SILENT, ...outcome }), ...environment };
	const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', SCRIPT], {
		env,
		encoding: 'utf8',
	});
	assert.equal(stderr, '');
	const outputs = readFileSync(files.GITHUB_OUTPUT, 'utf8');
	return {
		status,
		lines: stdout.trimEnd().split('\n'),
		summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'),
		outputs: Object.fromEntries(
			[...outputs.matchAll(/^(.+)<<(.+)\n(.*)\n\2$/gm)].map(([, name, , value]) => [name, value]),
		),
	};
}

const FAILURE = {
	code: 'build-failed',
	side: null,
	message: 'npm ci failed',
	where: null,
	remedy: null,
	details: null,
};

test('an outcome has a fixed order of outputs, and the step fails last', (t) => {
	const ended = end(t, {
		summary: '### Fail',
		outputs: { outcome: 'fail', 'comment-url': '' },
		files: { json: '/tmp/r/result.json' },
		log: 'the table\n::add-mask::x',
		failure: { ...FAILURE, usage: false },
		notices: ['one', 'two'],
		fail: ['npm ci failed'],
	});
	assert.equal(ended.status, 1);
	assert.equal(ended.summary, '### Fail\n');
	assert.deepEqual(ended.lines, [
		'the table',
		':\u200b:add-mask::x',
		'::error title=benchgate%3A build-failed::npm ci failed',
		'::notice title=benchgate::one',
		'::notice title=benchgate::two',
		'after []',
	]);
	const named = Object.values(FORMATS).flatMap(({ output }) => (output === null ? [] : [[output, '']]));
	assert.deepEqual(ended.outputs, {
		outcome: 'fail',
		'comment-url': '',
		...Object.fromEntries(named),
		'report-json': '/tmp/r/result.json',
	});
});

test('a step that fails without a failure has one error too', (t) => {
	const { status, lines } = end(t, { fail: ['slower', 'and more'] });
	assert.deepEqual([status, lines], [1, ['after []', '::error::slower%0Aand more']]);
});

test('an outcome without messages is green and silent', (t) => {
	assert.deepEqual(end(t, {}), { status: 0, lines: ['after []'], summary: '', outputs: {} });
});

test('a run that was cut off is not green, and has no error', (t) => {
	const { status, lines } = end(t, { cutOff: true });
	assert.deepEqual([status, lines], [130, ['after []']]);
});

test('a failure that does not fail the step is a notice', (t) => {
	const { status, lines } = end(t, { failure: { ...FAILURE, usage: false } });
	assert.deepEqual([status, lines[0]], [0, '::notice title=benchgate%3A build-failed::npm ci failed']);
});

test('without a summary file the other outputs are still written', (t) => {
	const { status, lines } = end(t, { summary: 'x', fail: ['slower'] }, { GITHUB_STEP_SUMMARY: '/nowhere/summary' });
	assert.deepEqual([status, lines], [1, ['after ["no-summary"]', '::error::slower']]);
});
