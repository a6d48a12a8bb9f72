/** One run with an invalid row beside a good one, its outputs, and the same again from its raw windows. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FLAG_FORMATS, FORMATS } from '../../src/report/formats.ts';
import type { Result } from '../../src/types/result.ts';
import { assertExit, behavingServer, behavingSides, type CliRun, configOf, makePlayground } from '../support/cli.ts';

/** Formats that both a run and `judge` can write. */
const FORMATS_OF_BOTH = FLAG_FORMATS.filter((name) => name !== 'raw' && name !== 'explanation');
const OUTPUTS = FORMATS_OF_BOTH.map((name) => `--${name} ${FORMATS[name].file}`).join(' ');
const playground = makePlayground(
	{ after },
	{
		...behavingSides({ good: '', wrong: 'wrong-body' }),
		'benchgate.yml': configOf([behavingServer('good'), behavingServer('wrong')], { threshold: '50%' }),
	},
);
const FAULT = 'head gave a wrong answer to GET /: body at $.ok is false instead of true';
let run: CliRun;
let result: Result;

before(async () => {
	const flags =
		'--base dir:base --head dir:head --budget 120s --warmup 500ms --rounds 4 --seed 1 --quiet --raw raw.json';
	run = await playground.run(['compare', ...`${flags} ${OUTPUTS}`.split(' ')], { env: { FORCE_COLOR: '1' } });
	result = JSON.parse(playground.read('result.json'));
});

test('a row that head broke fails the gate, whatever the policy, and the good row is still decided', () => {
	assertExit(run, 1);
	const verdicts = result.cells.map(({ server, verdict }) => [server, verdict]);
	assert.deepEqual(Object.fromEntries(verdicts), { good: 'unchanged', wrong: 'invalid' });
	assert.deepEqual([result.gate.outcome, result.onInconclusive], ['fail', 'pass']);
	assert.deepEqual(result.gate.reasons, [`wrong/ok answers wrongly, on head only: ${FAULT}.`]);
	assert.equal(result.ended, 'decided');
	assert.match(
		run.stdout.replace(/\s*\n\s+/g, ' '),
		/^FAIL {2}wrong\/ok answers wrongly, on head only\. No regression of [\d.]+ % or more in the other 1 row\./,
	);
});

test('the cause of an invalid row is shown where people look first', () => {
	const text = run.stdout.replace(/\s+/g, ' ');
	assert.ok(text.includes('Next: Fix head in wrong/ok: the notes below quote the first fault.'));
	assert.ok(text.includes(`wrong/ok: ${FAULT} [wrong-body]`));
	assert.ok(playground.read('report.md').includes('is false instead of true'));
});

test('quiet leaves stderr empty, and output that is no terminal has no escape codes', () => {
	assert.equal(run.stderr, '');
	for (const text of [run.stdout, playground.read('report.md')]) assert.equal(text.includes('\u001b'), false);
});

test('judge repeats report and files of the run bit for bit', async () => {
	const first = Object.fromEntries(
		FORMATS_OF_BOTH.map((name) => FORMATS[name].file).map((file) => [file, playground.read(file)]),
	);
	const again = await playground.run(['judge', 'raw.json', ...OUTPUTS.split(' ')]);
	assert.deepEqual({ ...again, stderr: '' }, { ...run, stderr: '' });
	assert.equal(again.stderr, '');
	for (const [name, text] of Object.entries(first)) assert.equal(playground.read(name), text, name);
});

test("judge follows the run's policy on a fault of neither side", async () => {
	const raw = JSON.parse(playground.read('raw.json'));
	const judge = async (side: string | null, onInconclusive: string, code: number) => {
		const refused = [{ cell: 'wrong/ok', fault: { ...raw.refused[0].fault, side } }];
		playground.write({ 'changed.json': { ...raw, refused, context: { ...raw.context, onInconclusive } } });
		assertExit(await playground.run(['judge', 'changed.json']), code);
	};
	await judge(null, 'pass', 0);
	await judge(null, 'fail', 1);
	await judge('base', 'fail', 0);
	await judge('head', 'pass', 1);
});

const WHOLE = 'To fix it: use the file exactly as `benchgate compare --raw` wrote it\n';

test('judge refuses every file but raw data of its version, with place and reason', async () => {
	const text = playground.read('raw.json');
	const raw = JSON.parse(text);
	playground.write({
		'cut.json': text.slice(0, text.length / 2),
		'later.json': {
			...raw,
			schemaVersion: 99,
			context: { ...raw.context, tool: { name: 'benchgate', version: '9.0.0' } },
		},
		'shape.json': { ...raw, rounds: [{ ...raw.rounds[0], seconds: 'long' }] },
		'noise.json': '\u0000\u0001\u0002 no json',
	});
	const expected: Record<string, RegExp> = {
		'nowhere.json':
			/^benchgate: nowhere\.json: there is no such file\nTo fix it: name a file written by `benchgate compare --raw FILE`\n$/,
		'cut.json': /^benchgate: cut\.json: the file is not JSON \(.*\); perhaps it was cut off while being copied\n/,
		'noise.json': /^benchgate: noise\.json: the file is not JSON /,
		'later.json':
			/^benchgate: later\.json: \/schemaVersion: the file was written by benchgate 9\.0\.0 with schema version 99; this is benchgate \d+\.\d+\.\d+, which reads version 1\nTo fix it: run npx benchgate@9\.0\.0 judge later\.json\n$/,
		'shape.json':
			/^benchgate: shape\.json: \/rounds\/0\/seconds: the raw data are not as benchgate writes them: must be number\n/,
		'result.json': /^benchgate: result\.json: \/kind: the file does not contain raw windows of benchgate\n/,
	};
	for (const [name, message] of Object.entries(expected)) {
		const refused = await playground.run(['judge', name]);
		assertExit(refused, 2);
		assert.match(refused.stderr, message);
		assert.equal(refused.stdout, '');
		if (name === 'cut.json' || name === 'shape.json') assert.ok(refused.stderr.endsWith(WHOLE));
	}
});

test('judge of an interrupted run distinguishes its exit code from that of the run', async () => {
	const raw = JSON.parse(playground.read('raw.json'));
	playground.write({ 'interrupted.json': JSON.stringify({ ...raw, ended: 'interrupted' }) });
	const again = await playground.run(['judge', 'interrupted.json']);
	assertExit(again, 1);
	const text = again.stdout.replace(/\s+/g, ' ');
	assert.ok(text.includes('Exit code: 130, because the run was interrupted.'), text);
	assert.equal(
		again.stderr,
		'The exit code in the report is that of the interrupted run. `benchgate judge` ends with 1, according to the rounds there are.\n',
	);
});

test('with every row invalid no row was measured: exit code 3, and progress goes to stderr', async () => {
	const args = 'compare --base dir:base --head dir:head --budget 60s --server wrong'.split(' ');
	const invalid = await playground.run(args, { env: { FORCE_COLOR: '1' } });
	assertExit(invalid, 3);
	assert.match(invalid.stdout, /^ERROR {2}.*head gave a wrong answer to GET \/: /s);
	assert.equal(
		invalid.stderr.replace(/^(base|head) .*\n/gm, ''),
		'Resolving revisions\nLooking for a cell that runs the subject\nChecking the answers of 1 cell on both sides\n  wrong/ok cannot be measured: head gave a wrong answer to GET /: body at $.ok is false instead of true\n',
	);
	assert.equal(`${invalid.stdout}${invalid.stderr}`.includes('\u001b'), false);
});
