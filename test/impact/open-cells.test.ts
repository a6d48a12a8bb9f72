import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCells } from '../../src/impact/open-cells.ts';
import type { CellCoverage } from '../../src/types/coverage.ts';
import type { CodeChange, ImpactReason } from '../../src/types/impact.ts';

const loading = (...paths: readonly string[]): CellCoverage => {
	const scripts = paths.map((path) => ({ path, hash: '', functions: [] }));
	return { requests: 1, scripts, reads: [], texts: [], unseen: [] };
};
const AFFECTED: ImpactReason = { kind: 'data', path: 'data.json' };
const change = (path: string, ...cells: string[]): CodeChange => {
	return { kind: 'function', name: 'f', path, line: 1, side: 'head', cells };
};

test('a short load leaves open unaffected cells, and a few that load changed code which no cell ran', () => {
	const cells = new Map(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => [id, id === 'f' ? null : AFFECTED]));
	const coverage = new Map([...cells.keys()].map((id) => [id, loading(id === 'a' ? 'other.js' : 'late.js')]));
	const open = (...changes: CodeChange[]) => [...openCells({ cells, changes }, coverage)];
	assert.deepEqual(open(change('late.js', 'b')), ['f']);
	assert.deepEqual(open(change('late.js', 'b'), change('late.js')), ['f', 'b', 'c', 'd']);
	assert.deepEqual(open(change('other.js')), ['f', 'a']);
});
