import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { bisectLoop, type LoopContext, type Probed, type Progressed } from '../../../src/runs/bisect/bisect-loop.ts';
import { openBisectFile } from '../../../src/runs/bisect/run-bisect.ts';
import { createRandom } from '../../../src/stats/random.ts';
import { BISECT_RULE } from '../../../src/trend/bisect/bisect-state.ts';

const COUNT = 12;
const NOTHING: Progressed = {
	state: {
		...{ count: COUNT, prior: Array.from({ length: COUNT }, () => 1), expected: null },
		...{ probes: [], broken: [], same: [], proofs: [] },
	},
	proof: null,
	reasons: {},
	seconds: 0,
};

interface Script {
	readonly first: number;
	readonly broken?: readonly number[];
	readonly same?: readonly number[];
	/** Throws at this probe, like a killed process. */
	readonly killedAt?: number;
	readonly left?: () => number;
}

/** A laboratory with scripted measurements, which logs its requests. */
function scripted({ first, broken = [], same = [], killedAt, left = () => 1e9 }: Script) {
	const requests: string[] = [];
	const kept: Progressed[] = [];
	const level = (commit: number) => (commit >= first ? -0.05 : 0);
	const rounds = (name: string, count: number, size: number) => {
		const random = createRandom(3, ...[...name].map((letter) => letter.charCodeAt(0)), requests.length);
		return Array.from({ length: count }, () => size + 0.015 * random.normal());
	};
	const context: LoopContext = {
		rule: BISECT_RULE,
		left,
		signal: new AbortController().signal,
		async probe(commit, count): Promise<Probed> {
			requests.push(`${commit}`);
			if (requests.length === killedAt) throw new Error('killed');
			if (broken.includes(commit)) return { kind: 'broken', reason: `commit ${commit} does not build` };
			if (same.includes(commit)) return { kind: 'same' };
			return { kind: 'rounds', d: rounds(`${commit}`, count, level(commit)), seconds: 18, buildSeconds: 10 };
		},
		async prove(before, after) {
			requests.push(`${before}..${after}`);
			const d = rounds('proof', 9, level(after) - level(before));
			const outcome = level(after) === level(before) ? 'refuted' : 'shown';
			return {
				d,
				outcome,
				figures: { before, after, judgedBy: 'throughput', change: -0.05, interval: null, rounds: 9 },
				seconds: 50,
			};
		},
		onStep: async (known) => void kept.push(known),
	};
	return { context, requests, kept };
}

test('bad is measured first, and the first bad commit is proven against the one before', async () => {
	const { context, requests } = scripted({ first: 8 });
	const { ended, known } = await bisectLoop(NOTHING, context);
	assert.deepEqual(ended.kind === 'found' && [ended.span.before, ended.span.after, ended.proven], [7, 8, true]);
	assert.equal(requests[0], '12');
	assert.ok(requests.includes('7..8'));
	assert.equal(known.proof?.after, 8);
	assert.ok(known.seconds > 50);
});

test('commits that do not build are reported with the reason, and never tried again', async () => {
	const { context, requests } = scripted({ first: 7, broken: [6, 7] });
	const { ended, known } = await bisectLoop(NOTHING, context);
	assert.deepEqual(ended.kind === 'found' && [ended.span.before, ended.span.after], [5, 8]);
	assert.ok(requests.filter((one) => one === '6').length <= 1);
	for (const commit of known.state.broken) assert.match(known.reasons[commit] ?? '', /does not build/);
});

test('a commit that packs to the code of good is not measured', async () => {
	const { context, requests } = scripted({ first: 9, same: [1, 2, 3, 4, 5, 6] });
	const { ended, known } = await bisectLoop(NOTHING, context);
	assert.ok(ended.kind === 'found' && ended.span.after === 9);
	for (const commit of known.state.same) assert.equal(requests.filter((one) => one === `${commit}`).length, 1);
});

test('bad that packs to the code of good ends it at once', async () => {
	const { context, requests } = scripted({ first: 99, same: [COUNT] });
	const { ended } = await bisectLoop(NOTHING, context);
	assert.deepEqual(ended, { kind: 'no-change', sameCode: true });
	assert.deepEqual(requests, ['12']);
});

test('the budget ends it before a step that would not fit', async () => {
	const secondsLeft = [100, 10];
	const { context, requests } = scripted({ first: 8, left: () => secondsLeft.shift() ?? 0 });
	const { ended } = await bisectLoop(NOTHING, context);
	assert.equal(ended.kind, 'budget');
	assert.equal(requests.length, 1);
});

test('killed at any step, it continues from the stored state and measures nothing twice', async () => {
	const whole = scripted({ first: 8 });
	await bisectLoop(NOTHING, whole.context);
	const folder = await mkdtemp(join(tmpdir(), 'bisect-'));
	try {
		for (const [index, one] of whole.requests.entries()) {
			if (one.includes('.')) continue;
			const killedAt = index + 1;
			const probes = whole.requests.slice(0, index).filter((other) => !other.includes('.')).length;
			const identity = { good: 'a', bad: 'b', cell: 'koa/ping', metric: 'throughput', setup: `${killedAt}` };
			const file = openBisectFile(folder, identity);
			const first = scripted({ first: 8, killedAt });
			const keeping = { ...first.context, onStep: (known: Progressed) => file.write(known) };
			await assert.rejects(bisectLoop(NOTHING, keeping), /killed/);
			const kept = (await openBisectFile(folder, identity).read()) ?? NOTHING;
			assert.equal(kept.state.probes.length, probes);
			const second = scripted({ first: 8 });
			const { ended, known } = await bisectLoop(kept, second.context);
			assert.ok(ended.kind === 'found' && ended.span.after === 8);
			assert.deepEqual(known.state.probes.slice(0, probes), kept.state.probes);
		}
	} finally {
		await rm(folder, { recursive: true });
	}
});

test('stored state of another range, or damaged state, is ignored', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'bisect-'));
	try {
		const identity = { good: 'a', bad: 'b', cell: 'koa/ping', metric: 'throughput', setup: 'x' };
		const file = openBisectFile(folder, identity);
		assert.equal(await file.read(), null);
		await file.write(NOTHING);
		assert.deepEqual(await file.read(), NOTHING);
		assert.equal(await openBisectFile(folder, { ...identity, bad: 'c' }).read(), null);
		const text = await readFile(file.path, 'utf8');
		for (const damaged of ['', text.slice(0, 40), '[]', 'null', text.replace('"version":1', '"version":2')]) {
			await writeFile(file.path, damaged);
			assert.equal(await file.read(), null);
		}
	} finally {
		await rm(folder, { recursive: true });
	}
});
