/** The three commands of a comparison in shards: the plan, the refusals of a shard, and the result of gathering. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parsePlan, renderPlan, sealPlan } from '../../../src/formats/plan-file.ts';
import { parseRaw, renderRaw } from '../../../src/formats/raw/raw-file.ts';
import { FLAG_FORMATS, FORMATS } from '../../../src/report/formats.ts';
import type { Result } from '../../../src/types/result.ts';
import type { ShardPlan } from '../../../src/types/shards.ts';
import {
	assertExit,
	behavingServer,
	behavingSides,
	complaint,
	configOf,
	makePlayground,
	until,
} from '../../support/cli.ts';
import { shardFilesOf, shardPlanOf } from '../../support/shards.ts';

const CONFIG = configOf([behavingServer('one'), behavingServer('two')]);
const playground = makePlayground({ after }, { ...behavingSides({ one: '', two: '' }), 'benchgate.yml': CONFIG });
const run = (line: string) => playground.run(line.split(' '));
const PLAN = 'plan --base dir:base --head dir:head --shards 2 --seed 3 --quiet';
let plan: ShardPlan;

before(async () => {
	assertExit(await run(PLAN), 0);
	plan = parsePlan(playground.read('plan.json'));
});

test('plan finds revisions and rows, writes the plan, and explains how to use it', async () => {
	assert.deepEqual(
		[plan.m, plan.seed, plan.base.kind, plan.options],
		[2, 3, 'dir', { base: 'dir:base', head: 'dir:head', seed: '3' }],
	);
	assert.deepEqual(
		plan.shards.map(({ cells }) => cells),
		[['one/ok'], ['two/ok']],
	);
	const { stdout } = await run(`${PLAN} --out other.json`);
	assert.match(stdout, /^2 cells in 2 shards\nBase base, head head, at most 10 min of measuring each\.\n/);
	assert.match(stdout, /\n *1 {2}.* {2}1 {2}one\/ok\n/);
	assert.match(stdout, /\nthis plan: 2 .* min/);
	assert.match(stdout, /benchgate compare --plan other\.json --shard N/);
});

test('--dry-run shows the same and writes nothing', async () => {
	const dry = await run(`${PLAN} --out dry.json --dry-run`);
	assertExit(dry, 0);
	assert.match(dry.stdout, /Nothing was written\./);
	assert.throws(() => playground.read('dry.json'), /ENOENT/);
});

test('with --skip-unchanged rows of the same code get no shard, and one code on both sides needs no plan', async () => {
	const reading = (name: string) => behavingServer(name, { cwd: `packages/${name}`, reads: [`packages/${name}`] });
	const files = (side: string, mark: string) => ({
		[`${side}/packages/one/a.js`]: mark,
		[`${side}/packages/two/a.js`]: '1',
	});
	playground.write({
		...files('old', '1'),
		...files('new', '2'),
		'reading.yml': configOf([reading('one'), reading('two')]),
	});
	const some = await run(
		'plan --base dir:old --head dir:new --config reading.yml --skip-unchanged --out some.json --quiet',
	);
	assertExit(some, 0);
	assert.match(some.stdout, /\nNot measured: 1 cell of two, whose code is the same on both sides\.\n/);
	assert.deepEqual(
		parsePlan(playground.read('some.json')).cells.map(({ id }) => id),
		['one/ok'],
	);
	const none = await run(`${PLAN} --skip-unchanged --out none.json`);
	assertExit(none, 0);
	assert.equal(none.stdout, 'Both sides are the same code, so there is nothing to divide.\n');
	assert.throws(() => playground.read('none.json'), /ENOENT/);
	const compared = await run('compare --base dir:base --head dir:head --skip-unchanged --quiet');
	assertExit(compared, 0);
	assert.equal(compared.stdout, 'Both sides are the same code, so nothing was measured.\n');
});

test('an interrupted shard reports that it does not count, and gathering that it has to run again', async () => {
	const line = 'compare --plan plan.json --shard 1 --raw cut/one.json --quiet';
	playground.write({ 'cut/plan.json': playground.read('plan.json') });
	const shard = playground.start(line.split(' '));
	await until('the first round is kept', () => existsSync(join(playground.folder, 'cut/one.json')));
	shard.process.kill('SIGINT');
	const ended = await shard.ended;
	assertExit(ended, 130);
	assert.match(ended.stdout, /^Shard 1 of 2: .* It was interrupted, so it does not count\. Run it again\.\n$/);
	assert.equal(parseRaw(playground.read('cut/one.json')).shard?.complete, false);
	const gathered = await run('gather cut');
	assertExit(gathered, 3);
	assert.match(complaint(gathered), /none of the 2 shards of the plan finished; 1 was cut off/);
});

const { planHash: _, ...unsealed } = shardPlanOf(['one/ok', 'two/ok'], 2);
const OTHER_VERSION = renderPlan(sealPlan({ ...unsealed, tool: { name: 'benchgate', version: '0.0.1' } }));

/** The change before, arguments, exit code, and the message. */
const REFUSED: readonly (readonly [string, () => void, string, number, RegExp])[] = [
	['a number that the plan has not', () => {}, '--plan plan.json --shard 3', 2, /--shard 3: the plan has 2 shards\n/],
	['no number', () => {}, '--plan plan.json', 2, /needs --shard NUMBER/],
	['a number without a plan', () => {}, '--base dir:base --head dir:head --shard 1', 2, /--shard: only with --plan\n/],
	[
		'options that the plan has, or that gather takes',
		() => {},
		'--plan plan.json --shard 1 --threshold 50% --accept all --skip-unchanged --json x.json',
		2,
		/--threshold: not with --plan; the plan already sets it\n--accept: not with --plan; pass it to benchgate gather\n--skip-unchanged: not with --plan; the plan already sets it\n--json: not/,
	],
	['no such plan', () => {}, '--plan nowhere.json --shard 1', 2, /nowhere\.json: there is no such file\n/],
	[
		'a tampered plan',
		() => playground.write({ 'changed.json': renderPlan({ ...plan, seed: 4 }) }),
		'--plan changed.json --shard 1',
		2,
		/it was changed after it was made/,
	],
	[
		'a plan of another benchgate',
		() => playground.write({ 'older.json': OTHER_VERSION }),
		'--plan older.json --shard 1',
		3,
		/benchgate 0\.0\.1 made the plan/,
	],
	[
		'another config',
		() => playground.write({ 'benchgate.yml': { ...CONFIG, threshold: '50%' } }),
		'--plan plan.json --shard 1',
		3,
		/the config here is not the one that was planned/,
	],
	[
		'other code of head',
		() => playground.write({ 'benchgate.yml': CONFIG, 'head/more.js': '// new' }),
		'--plan plan.json --shard 1',
		3,
		/head is not the code that was planned/,
	],
];

for (const [label, change, flags, code, message] of REFUSED) {
	test(`a shard refuses ${label}, with the reason`, async () => {
		change();
		const refused = await run(`compare ${flags} --quiet`);
		assertExit(refused, code);
		assert.match(complaint(refused), message);
		assert.equal(refused.stdout, '');
	});
}

const GATHERED = shardPlanOf(['express/ping', 'express/json', 'koa/ping', 'koa/json'], 2);
const FILES = shardFilesOf(GATHERED, { 1: { effects: { 'express/ping': Math.log(0.8) } } });

function write(folder: string, shards: readonly number[]): void {
	const files = FILES.filter(({ raw }) => shards.includes(raw.shard?.shard ?? 0)).map(
		({ name, raw }) => [`${folder}/artifact-${name}/${name}`, renderRaw(raw)] as const,
	);
	playground.write({ [`${folder}/plan/plan.json`]: renderPlan(GATHERED), ...Object.fromEntries(files) });
}

test('gather decides as compare does, in every format, and judge repeats it from the gathered raw file', async () => {
	write('all', [1, 2]);
	playground.write({
		'all/notes.json': '{"of":"somebody else"}',
		'all/broken.json': '{"schemaVersion":1,"kind":"benchgate-raw"',
	});
	const outputs = FLAG_FORMATS.filter((name) => name !== 'explanation')
		.map((name) => `--${name} ${FORMATS[name].file}`)
		.join(' ');
	const gathered = await run(`gather all --store dir:none ${outputs}`);
	assertExit(gathered, 1);
	assert.match(gathered.stdout, /^FAIL/);
	const result = JSON.parse(playground.read(FORMATS.json.file)) as Result;
	assert.deepEqual(result.gate.outcome, 'fail');
	assert.deepEqual(
		result.warnings.map(({ code }) => code),
		['shard-refused'],
	);
	assert.match(playground.read(FORMATS.markdown.file), /Shard 2: 2 cells in \d+ rounds/);
	const judged = await run(`judge ${FORMATS.raw.file} --json judged.json`);
	assertExit(judged, 1);
	assert.deepEqual(JSON.parse(playground.read('judged.json')), result);
	assertExit(await run('gather all --accept express/ping=any'.replace('any', 'all')), 0);
});

test('gather names the missing shard, and without any shard reports that nothing was measured', async () => {
	write('some', [2]);
	const some = await run('gather some --verbose');
	assertExit(some, 0);
	assert.match(
		some.stdout.replace(/\s*\n\s+/g, ' '),
		/Next: Run shard 1 again, because it did not finish\. Then gather again\./,
	);
	write('none', []);
	const none = await run('gather none');
	assertExit(none, 3);
	assert.match(complaint(none), /none of the 2 shards of the plan finished/);
	assertExit(await run('gather base'), 2);
	assertExit(await run('gather nowhere'), 2);
});
