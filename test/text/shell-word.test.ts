import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { describeReproduction } from '../../src/config/repeat-command.ts';
import { describeSelftestCommand } from '../../src/config/repeat-selftest.ts';
import { shellWord } from '../../src/text/shell-word.ts';
import { CONFIG } from '../runs/selftest/simulated.ts';

/** What a real shell makes of a command line. */
function readByShell(words: string): string {
	return execFileSync('sh', ['-c', `printf '%s\\n' ${words}`], { encoding: 'utf8', env: { HOME: '/root' } });
}

test('a shell reads every word as it is', () => {
	const word = fc.oneof(
		fc.string({ unit: fc.constantFrom('~', '^', "'", '"', '$', '`', ' ', '*', '\\', '!', '#', '-', 'a', '/', '=') }),
		fc.string({ unit: 'grapheme' }),
	);
	const words = fc.array(
		word.filter((text) => !text.includes('\0')),
		{ minLength: 1, maxLength: 20 },
	);
	fc.assert(
		fc.property(words, (all) => {
			assert.equal(readByShell(all.map(shellWord).join(' ')), all.map((one) => `${one}\n`).join(''));
		}),
		{ numRuns: 60, seed: 5 },
	);
});

test('what needs no quotes gets none', () => {
	for (const word of ['npm:express@4.21.2', '--budget', '3%', 'koa@^2.0.0', './a/b-c_d', 'x=1,y=2']) {
		assert.equal(shellWord(word), word);
	}
});

test('the command that repeats a run names the Node it was told to use', () => {
	const flags = { base: 'main', head: 'my branch', node: '/opt/node 20/bin/node' };
	assert.equal(
		describeReproduction(flags, 7),
		"npx benchgate compare --base main --head 'my branch' --node '/opt/node 20/bin/node' --seed 7",
	);
	assert.match(describeSelftestCommand(CONFIG, flags.node), / --seed 7 --node '\/opt\/node 20\/bin\/node'$/);
	assert.match(describeSelftestCommand(CONFIG), / --seed 7$/);
});
