import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Allocates many objects, keeps only the newest, and prints the size of the young generation in MB. */
const DROP = `
import v8 from 'node:v8';
const kept = [];
let most = 0;
for (let at = 0; at < 2_000_000; at++) {
	kept[at % 40_000] = { at, text: 'x' + at };
	if (at % 20_000 === 0) most = Math.max(most, v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').space_size);
}
console.log(most / 1e6);
`;

function youngGeneration(...imported: string[]): number {
	const flags = imported.flatMap((path) => ['--import', path]);
	return Number(
		execFileSync(process.execPath, [...flags, '--input-type=module', '--eval', DROP], { encoding: 'utf8' }),
	);
}

test('short-lived objects do not grow the heap of the orchestrator', () => {
	const small = fileURLToPath(new URL('../../src/process/small-heap.ts', import.meta.url));
	const [limited, usual] = [youngGeneration(small), youngGeneration()];
	assert.ok(limited < usual / 3, `${limited} MB, ${usual} MB without the limit`);
});
