/** Code that head runs more often, from V8's coverage of real functions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareCounts, comparePeers } from '../../src/explain/counts.ts';
import type { CountedFunction, CountedRepeat, Counts, PeerCount, SideCount } from '../../src/types/explain/counts.ts';
import { cover, type Files, REQUESTS } from '../impact/cover.ts';

type Work = SideCount['work'];

async function countSide(files: Files, work: Work = {}): Promise<SideCount> {
	const { scripts } = await cover(files, 'app.js', (app) => (app as () => unknown)());
	return { requests: REQUESTS, scripts, work, peers: [], unseen: [] };
}

const tree = (files: Files) => new Map(Object.entries(files));

async function compare(base: Files, head: Files): Promise<Counts> {
	const repeat = { base: await countSide(base), head: await countSide(head) };
	return compareCounts({ base: tree(base), head: tree(head) }, [repeat]);
}

const wordsOf = ({ name, path, line, state, base, head }: CountedFunction) =>
	`${name} ${path}:${line} ${state} ${base} → ${head}`;

const APP = `const { work } = require('./lib.js');
module.exports = function handle() {
	return work();
};
`;
const LIB = `exports.work = function work() { return [1, 2].map((each) => each + 1); };
exports.never = function never() {};
`;

test('names the function that runs more often, and the changed one that names it', async () => {
	const head = { 'app.js': APP.replace('return work();', 'return work() + work();'), 'lib.js': LIB };
	const { functions } = await compare({ 'app.js': APP, 'lib.js': LIB }, head);
	assert.deepEqual(functions.map(wordsOf), [
		'exports.work lib.js:1 same 1 → 2',
		'anonymous lib.js:1 same 2 → 4',
		'handle app.js:2 changed 1 → 1',
	]);
	assert.deepEqual(
		functions.map(({ lines }) => lines),
		[1, 1, 3],
	);
	assert.deepEqual(functions[0]?.caller, { path: 'app.js', line: 2, name: 'handle' });
});

test('moved lines and comments are no difference', async () => {
	const head = { 'app.js': `// A comment.\n\n${APP}`, 'lib.js': LIB.replace('() {}', '() { /* */ }') };
	const { functions, work, unseen } = await compare({ 'app.js': APP, 'lib.js': LIB }, head);
	assert.deepEqual([functions, work, unseen], [[], [], []]);
});

test('a new function comes before its callees, and a removed one has its name in base', async () => {
	const base = {
		'app.js': `${APP}\nfunction old() {}\nconst { exports: handle } = module;\nmodule.exports = () => { old(); return handle(); };\n`,
		'lib.js': LIB,
	};
	const head = {
		'app.js': `${APP}\nfunction added() { return require('./lib.js').work(); }\nconst { exports: handle } = module;\nmodule.exports = () => { added(); return handle(); };\n`,
		'lib.js': LIB,
	};
	const { functions } = await compare(base, head);
	const [first] = functions;
	assert.equal(first && wordsOf(first), 'added app.js:6 new 0 → 1');
	const gone = functions.find(({ state }) => state === 'gone');
	assert.equal(gone && wordsOf(gone), 'old app.js:6 gone 1 → 0');
	assert.equal(gone?.side, 'base');
});

test('a dependency is the same wherever it is installed, and its versions are reported', async () => {
	const app = `const { render } = require('view');\nmodule.exports = () => render();\n`;
	const view = (version: string, body: string) => ({
		'node_modules/view/package.json': `{ "name": "view", "version": "${version}", "main": "index.js" }`,
		'node_modules/view/index.js': `function escape(text) { return text; }\nexports.render = function render() { ${body} };\n`,
	});
	const base = { 'app.js': app, ...view('1.0.0', `return escape('a');`) };
	const head = { 'app.js': app, ...view('1.1.0', `return escape('a') + escape('b');`) };
	const { functions } = await compare(base, head);
	assert.deepEqual(functions.map(wordsOf), [
		'escape node_modules/view/index.js:1 same 1 → 2',
		'exports.render node_modules/view/index.js:2 changed 1 → 1',
	]);
	assert.deepEqual(functions[0]?.package, { name: 'view', base: '1.0.0', head: '1.1.0' });

	const nested = Object.fromEntries(
		Object.entries(view('1.0.0', `return escape('a');`)).map(([path, text]) => [`node_modules/outer/${path}`, text]),
	);
	const outer = { 'node_modules/outer/index.js': `module.exports = require('view');\n` };
	const through = { 'app.js': app.replace(`'view'`, `'outer'`), ...outer };
	const flat = { ...through, ...view('1.0.0', `return escape('a');`) };
	assert.deepEqual((await compare(flat, { ...through, ...nested })).functions, []);
});

test('calls that differ between repeats are reported as such, and only if all of head exceed all of base', async () => {
	const files = { 'app.js': APP, 'lib.js': LIB };
	const side = await countSide(files);
	const times = (factor: number): SideCount => ({
		...side,
		scripts: side.scripts.map((script) => ({
			...script,
			functions: script.functions.map(([start, end, name, before, during]) => [
				start,
				end,
				name,
				before,
				during * factor,
			]),
		})),
	});
	const repeatsOf = (...heads: readonly number[]): CountedRepeat[] =>
		heads.map((factor) => ({ base: side, head: times(factor) }));
	const trees = { base: tree(files), head: tree(files) };
	const varying = compareCounts(trees, repeatsOf(2, 3, 4)).functions.find(({ name }) => name === 'exports.work');
	assert.deepEqual([varying?.base, varying?.head, varying?.varies], [1, 2, true]);
	assert.deepEqual(compareCounts(trees, repeatsOf(1, 3, 2)).functions, []);
	assert.equal(compareCounts(trees, repeatsOf(3, 2, 2)).functions[0]?.varies, false);
});

test('other work is compared per request, and equal work is left out', async () => {
	const files = { 'app.js': APP, 'lib.js': LIB };
	const base = await countSide(files, { 'bytes-allocated': 4000, promises: 0, writes: 4, collections: 1 });
	const head = { ...base, work: { 'bytes-allocated': 4400, promises: 20, writes: 4, collections: 1 } };
	const { work } = compareCounts({ base: tree(files), head: tree(files) }, [{ base, head }]);
	assert.deepEqual(work, [
		{ kind: 'bytes-allocated', base: 1000, head: 1100, varies: false },
		{ kind: 'promises', base: 0, head: 5, varies: false },
	]);
});

test('a few more system calls belong to other threads', async () => {
	const files = { 'app.js': APP, 'lib.js': LIB };
	const base = await countSide(files, { reads: 8, writes: 100 });
	const workOf = (writes: number) => {
		const head = { ...base, work: { reads: 8, writes } };
		return compareCounts({ base: tree(files), head: tree(files) }, [{ base, head }]).work;
	};
	assert.deepEqual(workOf(105), []);
	assert.deepEqual(workOf(125), [{ kind: 'writes', base: 25, head: 31.25, varies: false }]);
});

test('functions of a source that is not the installed file are compared by name', async () => {
	const files = { 'app.js': APP, 'lib.js': LIB };
	const side = await countSide(files);
	const compiled = { 'app.ts': 'hash of app.ts', 'lib.js': LIB };
	const withPath = (count: SideCount, factor: number): SideCount => ({
		...count,
		scripts: count.scripts.map((script) =>
			script.path === 'app.js'
				? {
						...{ path: 'app.ts', hash: 'another' },
						functions: script.functions.map(([start, end, name, before, during]) => [
							start,
							end,
							name,
							before,
							factor * during,
						]),
					}
				: script,
		),
	});
	const repeat = { base: withPath(side, 1), head: withPath(side, 2) };
	const { functions } = compareCounts({ base: tree(compiled), head: tree(compiled) }, [repeat]);
	assert.deepEqual(functions.map(wordsOf), ['handle app.ts:0 same 1 → 2']);
});

test('a changed function is named as a caller only if it surely calls the one that runs more often', async () => {
	const lib = `exports.get = function get() { return 1; };
exports.work = function work() { return 2; };
exports.both = () => exports.get() + exports.work();
`;
	const callerIn = async (called: string) => {
		const app = (more: string) => `const lib = require('./lib.js');
const other = { get() { return 0; } };
module.exports = function handle() { ${more} return lib.both(); };
`;
		const base = { 'app.js': app(''), 'lib.js': lib };
		const { functions } = await compare(base, { 'app.js': app(called), 'lib.js': lib });
		return functions.map(({ name, caller }) => `${name} < ${caller?.name ?? 'unknown'}`);
	};
	assert.deepEqual(await callerIn('lib.work();'), ['exports.work < handle', 'handle < unknown']);
	// A map has this method too.
	assert.deepEqual(await callerIn('lib.get();'), ['exports.get < unknown', 'handle < unknown']);
	const twice = await callerIn('lib.both(); other.work = 0; "work()";');
	assert.deepEqual(
		twice.filter((line) => line.startsWith('exports.work')),
		['exports.work < unknown'],
	);
	assert.ok(twice.includes('exports.both < handle'), twice.join());
});

test('an anonymous function is named after its receiver, and an async one is marked', async () => {
	const app = (count: number) => `const call = (handler) => { for (let at = 0; at < ${count}; at++) handler(); };
module.exports = async function handle() { call(() => 1); await null; };
`;
	const { functions } = await compare({ 'app.js': app(1) }, { 'app.js': app(2) });
	assert.deepEqual(
		functions.map(({ name, caller, resumes }) => [name, caller, resumes]),
		[
			['call callback', null, false],
			['call', null, false],
		],
	);
	const more = app(1).replace('await null;', 'await null; await null;');
	const [first] = (await compare({ 'app.js': app(1) }, { 'app.js': more })).functions;
	assert.deepEqual([first?.name, first?.resumes], ['handle', true]);
});

function peer(roundTrips: number, more: Partial<PeerCount> = {}): PeerCount {
	return {
		address: '127.0.0.1:5432',
		name: 'postgres',
		bytesSent: 60 * roundTrips,
		bytesReceived: 0,
		roundTrips,
		...more,
	};
}

function side(...peers: readonly PeerCount[]): SideCount {
	return { requests: 200, scripts: [], work: {}, peers, unseen: [] };
}

const repeat = (base: SideCount, head: SideCount): CountedRepeat => ({ base, head });

test('one more query in one of 50 requests is a difference', () => {
	const [listed] = comparePeers([1, 2, 3].map(() => repeat(side(peer(200)), side(peer(204)))));
	assert.deepEqual(listed?.roundTrips, { base: 1, head: 1.02, varies: false, differs: true });
	assert.deepEqual(listed?.bytesSent, { base: 60, head: 61.2, varies: false, differs: true });
	assert.deepEqual(listed?.bytesReceived, { base: 0, head: 0, varies: false, differs: false });
});

test('one heartbeat in 200 requests, or in one repeat, is no difference', () => {
	const [once] = comparePeers([1, 2, 3].map(() => repeat(side(peer(200)), side(peer(201)))));
	assert.equal(once?.roundTrips.differs, false);
	assert.deepEqual(comparePeers([1, 2].map(() => repeat(side(), side(peer(1))))), []);
	const heads = [200, 210, 200].map((trips) => repeat(side(peer(200)), side(peer(trips))));
	assert.equal(comparePeers(heads)[0]?.roundTrips.differs, false);
});

test('counts that no repeat confirms vary, and differ only if all of head exceed all of base', () => {
	const apart = [300, 310, 320].map((trips) => repeat(side(peer(200)), side(peer(trips))));
	assert.deepEqual(comparePeers(apart)[0]?.roundTrips, { base: 1, head: 1.5, varies: true, differs: true });
	const across = [190, 310, 320].map((trips) => repeat(side(peer(200)), side(peer(trips))));
	assert.deepEqual(comparePeers(across)[0]?.roundTrips, { base: 1, head: 0.95, varies: true, differs: false });
});

test('a new peer comes first, and an unchanged one is listed', () => {
	const cache = peer(400, { address: '10.0.0.2:6379', name: null });
	const listed = comparePeers([1, 2].map(() => repeat(side(peer(200)), side(peer(200), cache))));
	assert.deepEqual(
		listed.map(({ address, roundTrips: { base, head } }) => [address, base, head]),
		[
			['10.0.0.2:6379', 0, 2],
			['127.0.0.1:5432', 1, 1],
		],
	);
	assert.deepEqual(comparePeers([repeat({ ...side(), requests: 0 }, side(cache))]), []);
});
