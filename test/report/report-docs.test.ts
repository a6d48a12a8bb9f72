import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { WARNING_CODES } from '../../src/judge/warnings.ts';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/report.md', root), 'utf8');

/**
 * Files whose codes are only in a baseline, a ranking or a selftest (docs/baselines.md, docs/measure.md,
 * docs/scenarios.md, docs/selftest.md), or end a run before there is a report.
 */
const OTHERS =
	/^(?:choose-anchor|baseline-|plan-trials|generator-process|plan-cells|shards\/plan-shards|lanes\/find-lanes|drivers\/)|^start\/time-reload/;

/** Errors of the user that end a run before there is a report. */
const ENDS_RUN = ['bad-config', 'bad-flag', 'no-node', 'no-shard'];

/** Codes of warnings and faults that measuring can put into a result. */
function codesIn(folder: string): string[] {
	const files = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).filter(
		(name) => name.endsWith('.ts') && !OTHERS.test(name),
	);
	return files.flatMap((name) => {
		const source = readFileSync(new URL(`${folder}/${name}`, root), 'utf8');
		return [...source.matchAll(/(?:code: |fault\(\s*|note\(\s*)'([a-z]+(?:-[a-z0-9]+)*)'/g)]
			.map((match) => match[1] ?? '')
			.filter((code) => !ENDS_RUN.includes(code));
	});
}

test('the page on reading reports explains every code a report can show', () => {
	const codes = new Set([...WARNING_CODES, ...['src/plan', 'src/measure'].flatMap(codesIn)]);
	assert.ok(codes.size > 20, `found only ${codes.size} codes`);
	assert.deepEqual(
		[...codes].filter((code) => !page.includes(`\`${code}\``)),
		[],
	);
});

test('the sample rows of the page match the terminal report', () => {
	const golden = readFileSync(new URL('test/golden/report/several.txt', root), 'utf8').split('\n');
	const [, sample = ''] = /```\n(.*?)```/s.exec(page) ?? [];
	const lines = sample.trimEnd().split('\n');
	assert.equal(lines.length, 4);
	assert.deepEqual(
		lines.filter((line) => !golden.includes(line)),
		[],
	);
});

test('the example of the README matches the terminal report', () => {
	const readme = readFileSync(new URL('README.md', root), 'utf8');
	const [, example = ''] = /```text\n(.*?)```/s.exec(readme) ?? [];
	assert.equal(example, readFileSync(new URL('test/golden/report/one-regressed.txt', root), 'utf8'));
});
