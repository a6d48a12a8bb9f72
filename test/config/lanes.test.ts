/** How to request lanes: in the file, by a flag, and not in a plan. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfig } from '../../src/config/file/parse-config.ts';
import { useOf } from '../../src/config/options/option-entry.ts';
import { OPTIONS } from '../../src/config/options.ts';
import { resolveConfig } from '../../src/config/resolve-config.ts';
import { hashOfConfig } from '../../src/runs/plan-shards.ts';
import { CATALOGUE } from './example-catalogue.ts';

const read = (text: string) => parseConfig(text, 'benchgate.yml', CATALOGUE);
const resolve = (text: string, lanes?: string) =>
	resolveConfig(read(text), { subjectName: 'express', ...(lanes !== undefined && { lanes }) }, CATALOGUE, () => 1);

test('the file has a number or a word, and a flag overrides it', () => {
	assert.deepEqual(
		['lanes: 2', 'lanes: auto', 'lanes: smt', ''].map((text) => resolve(text).lanes),
		[2, 'auto', 'smt', undefined],
	);
	assert.equal(resolve('lanes: 2', 'auto').lanes, 'auto');
	assert.equal(resolve('lanes: auto', '4').lanes, 4);
});

test('any other value is an error that lists the allowed ones', () => {
	const form = 'auto, smt or a whole number from 1 to 64';
	for (const text of ['lanes: 0', 'lanes: 65', 'lanes: 1.5', 'lanes: [2]', 'lanes: both']) {
		assert.throws(
			() => read(text),
			({ message }: Error) => message.startsWith('benchgate.yml:1: lanes: ') && message.includes(form),
			text,
		);
	}
	assert.throws(() => resolve('', 'many'), /--lanes many: not allowed; auto, smt or a whole number from 1 to 64/);
});

test('a plan neither takes nor keeps it: each machine has its own lanes', () => {
	assert.notEqual(useOf(OPTIONS.lanes, 'compare'), undefined);
	assert.equal(useOf(OPTIONS.lanes, 'plan'), undefined);
	const [one, two] = [resolve('seed: 1', '1'), resolve('seed: 1', '2')];
	assert.equal(hashOfConfig(one), hashOfConfig(two));
});
