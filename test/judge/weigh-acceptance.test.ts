import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestAcceptance, weighAcceptance } from '../../src/judge/acceptance.ts';
import { type Acceptance, type AcceptedRows, RED_KINDS, type RedKind, type RedRow } from '../../src/types/verdict.ts';

function red(kind: RedKind, cell = 'app/a'): RedRow {
	const change = kind === 'regressed' ? -0.06 : null;
	return { cell, metric: 'throughput', kind, change, least: change };
}

function of(...rows: AcceptedRows[]): Acceptance {
	return { by: 'ann', via: 'flag', reason: null, rows };
}

for (const kind of RED_KINDS) {
	test(`a row that is ${kind} is covered by its kind, its cell, or everything`, () => {
		const covering = [
			of({ cell: null, kind: null, upTo: null }),
			of({ cell: 'app/a', kind: null, upTo: null }),
			of({ cell: null, kind, upTo: null }),
			of({ cell: 'app/b', kind, upTo: null }, { cell: 'app/a', kind, upTo: null }),
			{ by: 'ann', via: 'label', reason: null } as const,
		];
		for (const acceptance of covering) {
			assert.deepEqual(weighAcceptance([red(kind)], acceptance), { accepted: [red(kind)], open: [] });
		}
	});

	test(`a row that is ${kind} is not covered by another kind or cell, or by nothing`, () => {
		const others = RED_KINDS.filter((other) => other !== kind).map((other) => ({
			cell: null,
			kind: other,
			upTo: null,
		}));
		const not = [of(...others), of({ cell: 'app/b', kind, upTo: null }), of(), undefined];
		for (const acceptance of not) {
			assert.deepEqual(weighAcceptance([red(kind)], acceptance), { accepted: [], open: [red(kind)] });
		}
	});
}

test('a size covers slowdowns only, and no change of unknown size', () => {
	const sized = of({ cell: null, kind: null, upTo: 0.5 });
	assert.deepEqual(
		weighAcceptance(
			RED_KINDS.map((kind) => red(kind)),
			sized,
		).accepted,
		[red('regressed')],
	);
	const unknown = { ...red('regressed'), change: null, least: null };
	assert.deepEqual(weighAcceptance([unknown], sized).open, [unknown]);
});

test('without an interval the change itself must be within the size', () => {
	const row: RedRow = { ...red('regressed'), change: -0.06, least: null };
	const open = (upTo: number) => weighAcceptance([row], of({ cell: null, kind: null, upTo })).open.length;
	assert.deepEqual([open(0.06), open(0.059)], [0, 1]);
});

test('the first of equal acceptances is the best, and no acceptance is if none covers a row', () => {
	const rows = [red('broken'), red('removed', 'app/b')];
	const [a, b] = [of({ cell: 'app/a', kind: null, upTo: null }), of({ cell: 'app/b', kind: null, upTo: null })];
	assert.equal(bestAcceptance(rows, [a, b]), a);
	assert.equal(bestAcceptance(rows, [of()]), null);
	assert.equal(bestAcceptance(rows, []), null);
});
