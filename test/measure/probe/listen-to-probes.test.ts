import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeReports } from '../../../src/measure/probe/listen-to-probes.ts';
import type { ProbeReport, RanFunction } from '../../../src/types/probe.ts';

function reportOf(functions: readonly RanFunction[], more: Partial<ProbeReport> = {}): ProbeReport {
	const scripts = [{ path: '/side/a.js', hash: 'h', isFile: true, functions }];
	const nothing = {
		work: null,
		profile: null,
		reads: [],
		addons: [],
		wasm: 0,
		texts: [],
		foreign: [],
		children: [],
		programs: [],
		threads: [],
	};
	return { scripts, requests: 0, ...nothing, ...more };
}

const NOWHERE = { root: '/side/', answered: 7 };

test('adds the calls of both reports by function, and keeps threads apart', () => {
	const before = { reports: [reportOf([[0, 9, 'start', 1]]), null], unseen: [] };
	const later = [[20, 29, 'during', 3] as const, [0, 9, 'start', 2] as const];
	const after = { reports: [reportOf(later), reportOf([[0, 9, 'start', 4]])], unseen: [] };
	const { scripts, requests } = mergeReports(before, after, NOWHERE);
	assert.deepEqual(
		scripts.map(({ path, functions }) => [path, functions]),
		[
			[
				'a.js',
				[
					[0, 9, 'start', 1, 2],
					[20, 29, 'during', 0, 3],
				],
			],
			['a.js', [[0, 9, 'start', 0, 4]]],
		],
	);
	assert.equal(requests, 7, 'those that the generator counted, because no server of node:http did');
});

test('names each gap once, relative to the side', () => {
	const report = reportOf([], { foreign: ['/usr/lib/x.js'], addons: ['/side/b.node'], wasm: 2, requests: 5 });
	const heard = { reports: [report, report], unseen: ['sh (process 7)'] };
	const { unseen, requests } = mergeReports(heard, heard, NOWHERE);
	assert.equal(requests, 10);
	assert.deepEqual(
		unseen.map(({ kind, detail }) => `${kind} ${detail}`),
		['process sh (process 7)', 'native b.node', 'native WebAssembly', 'source /usr/lib/x.js'],
	);
});
