import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { blamed, LINUX, measure, measureBeside, testAttack, testInnocent } from './foreign-connections.ts';

testInnocent('');
testAttack('flood');
testAttack('flood-and-reset');
testAttack('flood-through-child');
testAttack('flood-through-escaped');

test('requests in pulses of 30 ms a second are seen, sometimes without their sender', LINUX, async () => {
	const { cell } = await measure({ base: '', head: 'flood-in-pulses' });
	assert.equal(blamed(cell).length, 1, JSON.stringify(cell.faults));
	assert.notEqual(blamed(cell)[0], 'base');
});

test('a head that floods servers of another lane is at fault there, whichever side they are of', LINUX, async () => {
	const [attacked, attacker] = await measureBeside([
		{ base: '', head: '' },
		{ base: '', head: 'flood-all' },
	]);
	const faults = attacked?.cell.faults ?? [];
	assert.deepEqual(new Set(faults.map(({ side }) => side)), new Set(['head']), JSON.stringify(faults));
	for (const victim of ['base', 'head']) {
		const words = `processes of the head server of another lane connected to the port of the ${victim} server`;
		assert.ok(
			faults.some(({ message }) => message.startsWith(words)),
			JSON.stringify(faults),
		);
	}
	assert.deepEqual(attacker && blamed(attacker.cell), ['head']);
});

test('a head that listens on the port of its rival, which shares it, is at fault', LINUX, async () => {
	const { cell } = await measure({ base: 'reuse-port', head: 'share-port' });
	const [first] = cell.faults;
	assert.deepEqual([first?.code, first?.side], ['foreign-listener', 'head'], JSON.stringify(cell.faults));
	assert.match(first?.message ?? '', /^processes of the head server listened on the port of the base server/);
});

testInnocent('reuse-port');
testInnocent('check-itself', ['unexplained-connections']);
testInnocent('connect-to-itself', ['unexplained-connections']);
testInnocent('fetch-itself');
testInnocent('close');

test('if the kernel cannot be asked, a lasting flood is still seen', LINUX, async (t) => {
	const bin = mkdtempSync(join(tmpdir(), 'benchgate-bin-'));
	const path = process.env.PATH;
	t.after(() => {
		process.env.PATH = path;
		rmSync(bin, { recursive: true });
	});
	for (const name of ['sh', 'taskset', 'true']) {
		const program = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
		if (program.startsWith('/')) symlinkSync(program, join(bin, name));
	}
	process.env.PATH = bin;
	const attacked = await measure({ base: '', head: 'flood' });
	assert.deepEqual(blamed(attacked.cell), ['head'], JSON.stringify(attacked.cell.faults));
	// Other programs of the machine may accept connections meanwhile.
	const innocent = await measure({ base: '', head: '' });
	assert.deepEqual(innocent.cell.faults, []);
});
