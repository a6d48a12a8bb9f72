import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { bisectDocument } from '../../src/report/bisect-document.ts';
import { drawBisect } from '../../src/report/bisect-picture.ts';
import { toMarkdown } from '../../src/report/document/markdown-writer.ts';
import { toTerminal } from '../../src/report/document/terminal-writer.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { BisectResult } from '../../src/trend/bisect/bisect-result.ts';
import { BISECT_RULE, type BisectState } from '../../src/trend/bisect/bisect-state.ts';
import { findDoubts } from '../../src/trend/bisect/find-doubts.ts';
import { nextStep } from '../../src/trend/bisect/next-step.ts';
import { posteriorOf } from '../../src/trend/bisect/posterior.ts';
import { assertGolden } from '../support/golden.ts';

const random = createRandom(9);
const rounds = (level: number, count = 6) => Array.from({ length: count }, () => level + 0.02 * random.normal());
const commits = Array.from({ length: 13 }, (_, index) => ({
	sha: `${index.toString(16)}a1b2c3d4e5f60718293`.padEnd(40, '4'),
	title: index === 8 ? 'Copy headers into a plain object' : `Commit number ${index}`,
	author: 'Ada <script>\u001b[31m',
	committedAt: `2026-03-${String(index + 1).padStart(2, '0')}T10:00:00+01:00`,
}));
const STATE: BisectState = {
	...{ count: 12, prior: Array.from({ length: 12 }, () => 1), expected: null },
	probes: [
		...[12, 6, 7, 8].map((commit) => {
			return { commit, d: rounds(commit >= 8 ? -0.045 : 0), seconds: 36, buildSeconds: 12 };
		}),
	],
	...{ broken: [3], same: [1], proofs: [] },
};
const PROOF = {
	before: 7,
	after: 8,
	judgedBy: 'throughput' as const,
	change: -0.042,
	interval: { low: -0.055, high: -0.029, confidence: 0.9 },
	rounds: 9,
};

function resultOf(state: BisectState, rest: Partial<BisectResult> = {}): BisectResult {
	const posterior = posteriorOf(state, BISECT_RULE);
	return {
		row: { cell: 'koa/param-json', metric: 'throughput' },
		...{ commits, state, posterior, proof: PROOF },
		ended: { kind: 'found', span: { before: 7, after: 8, probability: 0.988 }, proven: true },
		reasons: { 3: 'npm install failed \u001b[2J (exit code 1)' },
		doubts: findDoubts(state, posterior, (commit) => `commit ${commit}`),
		seconds: 372,
		reproduce: 'npx benchgate bisect --good v1.0.0 --bad main --scenario param-json --seed 7',
		...rest,
	};
}

const text = (result: BisectResult, colour = false) => toTerminal(bisectDocument(result), { colour, width: 100 });

test('the first bad commit, its probability and its proof come first', () => {
	const report = text(resultOf(STATE));
	assertGolden('bisect/found.txt', `${report}\n`);
	assert.match(
		report,
		/^FOUND {2}First bad commit: 8a1b2c3d4e5f \(98\.8 % probable\)\.\n {2}Commit: Copy headers into a plain object/,
	);
	assert.match(report, /Proof: a new comparison of 7a1b2c3d4e5f with 8a1b2c3d4e5f shows −4\.2 %/);
	assert.equal(stripVTControlCharacters(text(resultOf(STATE), true)), report);
	assert.ok(!report.includes('\u001b'), 'titles and reasons of strangers are harmless');
});

test('a proof decided by CPU per request names it', () => {
	const proof = { ...PROOF, judgedBy: 'cpu-per-request' as const, change: 0.05 };
	assert.match(text(resultOf(STATE, { proof })), /\+5\.0 % \[.*\] in CPU per\s+request after 9 rounds/);
});

test('when commits between do not build, both ends are named', () => {
	const span = { before: 6, after: 9, probability: 0.96 };
	const report = text(resultOf(STATE, { ended: { kind: 'found', span, proven: false }, proof: null }));
	assert.match(report, /^NOT PROVEN {2}First bad commit: one of the 3 after 6a1b2c3d4e5f up to 9a1b2c3d4e5f/);
	assert.match(report, /Proof: none, because/);
	assert.match(report, /3a1b2c3d4e5f could not be measured: npm install failed/);
});

test('every other outcome has its meaning and a next step', () => {
	const ends: readonly (readonly [BisectResult['ended'], RegExp])[] = [
		[{ kind: 'no-change', sameCode: true }, /^NO CHANGE {2}.* has the same packed code/],
		[{ kind: 'no-change', sameCode: false }, /^NO CHANGE {2}If .* differs/],
		[{ kind: 'stuck', span: { before: 7, after: 8, probability: 0.4 } }, /with 40 %/],
		[{ kind: 'budget' }, /Run the same command again/],
		[{ kind: 'interrupted' }, /Run the same command again/],
	];
	for (const [ended, pattern] of ends) assert.match(text(resultOf(STATE, { ended })), pattern);
});

test('the picture has one mark for each commit, at any time', () => {
	const begun = { ...STATE, probes: [], broken: [], same: [] };
	for (const state of [begun, STATE, { ...STATE, probes: STATE.probes.slice(0, 1) }]) {
		const posterior = posteriorOf(state, BISECT_RULE);
		const drawn = drawBisect(commits, state, posterior, nextStep(state, posterior, BISECT_RULE), 600);
		const bars = /^ {2}([·▁▂▃▄▅▆▇█×]+)$/m.exec(drawn)?.[1] ?? '';
		assert.equal(bars.length, 12, drawn);
		assert.match(drawn, /^12 commits; \d+ rounds? on \d+ of them, at most 10 min left/);
	}
});

test('a long range is drawn in several lines', () => {
	const state = {
		...STATE,
		count: 150,
		prior: Array.from({ length: 150 }, () => 1),
		probes: [],
		broken: [140],
		same: [],
	};
	const many = Array.from({ length: 151 }, () => commits[1] as (typeof commits)[0]);
	const drawn = drawBisect(many, state, posteriorOf(state, BISECT_RULE), null, null);
	const bars = [...drawn.matchAll(/^ {2}([·▁▂▃▄▅▆▇█×]+)$/gm)].map(([, line = '']) => line);
	assert.deepEqual(
		bars.map((line) => line.length),
		[38, 38, 38, 36],
	);
	assert.equal(bars.join('')[139], '×');
});

test('the summary of a job has the finding as its heading, and foreign text cannot end its block', () => {
	const markdown = toMarkdown(bisectDocument(resultOf(STATE, { reasons: { 3: '```\n# injected' } })));
	assertGolden('bisect/found.md', markdown);
	assert.match(markdown, /^### ✅ Found: First bad commit: [^\n]*98\.8 % probable/);
	assert.doesNotMatch(markdown, /^# injected/m);
});
