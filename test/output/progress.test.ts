import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { createProgress } from '../../src/output/progress.ts';

test('on a terminal the status shows a new number of seconds every second, until its end', (t) => {
	t.mock.timers.enable({ apis: ['setInterval'] });
	let written = '';
	const stream = new Writable({
		write(chunk, _encoding, done) {
			written += String(chunk);
			done();
		},
	});
	const terminal = Object.assign(stream, { isTTY: true, columns: 80, rows: 24 }) as unknown as NodeJS.WriteStream;
	let now = 100;
	const progress = createProgress(terminal, { quiet: false, everySeconds: 15, clock: () => now });
	const shown = (): string => {
		const text = stripVTControlCharacters(written).trim();
		written = '';
		return text;
	};
	progress.status('Round 1\n  Loading koa/ping');
	assert.match(shown(), /Loading koa\/ping, 0 s$/);
	for (const seconds of [1, 2, 3]) {
		now += 1;
		t.mock.timers.tick(1000);
		assert.match(shown(), new RegExp(`${seconds} s$`));
	}
	progress.status('Round 1\n  Loading koa/json');
	assert.match(shown(), /json, 0 s$/);
	progress.end();
	shown();
	t.mock.timers.tick(5000);
	assert.equal(shown(), '');
});

test('elsewhere a long step is shown with its seconds and last line of output, and not at once', () => {
	let written = '';
	const stream = new Writable({
		write(chunk, _encoding, done) {
			written += String(chunk);
			done();
		},
	});
	let now = 100;
	const options = { quiet: false, everySeconds: 15, clock: () => now };
	const progress = createProgress(stream as unknown as NodeJS.WriteStream, options);
	progress.step('base (HEAD): npm ci');
	for (let second = 0; second <= 31; second++) {
		progress.status('base (HEAD): npm ci', second < 20 ? '' : `\u001b[1mfile ${second} \n of 90${'.'.repeat(200)}`);
		now += 1;
	}
	progress.status('');
	const [step, early, late, ...more] = written.trimEnd().split('\n');
	assert.deepEqual([step, early, more.length], ['base (HEAD): npm ci', 'base (HEAD): npm ci, 15 s', 0]);
	assert.match(late ?? '', /^base \(HEAD\): npm ci, 30 s: \ufffd\[1mfile 30 of 90\.+…$/);
	assert.ok((late?.length ?? 0) < 130, late);
});
