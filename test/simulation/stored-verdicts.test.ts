import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { markdownTable } from 'markdown-table';
import { plantDrop } from '../../evaluation/replay/plant.ts';
import { parseRaw } from '../../src/formats/raw/raw-file.ts';
import { decide } from '../../src/judge/decide.ts';
import type { Raw } from '../../src/types/result.ts';
import type { Round } from '../../src/types/round.ts';
import type { RowDecision } from '../../src/types/verdict.ts';
import { codesOf } from '../support/decisions.ts';
import { assertGolden } from '../support/golden.ts';

// Real runs (`benchgate compare --raw`, reduced by strip-raw.ts) and their verdicts. A change of the rule that changes
// a verdict, its round or a number shows as a difference of a golden file, to be reviewed; UPDATE_GOLDEN=1 node --test
// test/simulation/stored-verdicts.test.ts rewrites them.

const FOLDER = new URL('../fixtures/raw/', import.meta.url);
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith('.json.gz'));
const DROPS = [0.05, 0.1, 0.2] as const;
const DIGITS = 6;

function readRaw(file: string): Raw {
	return parseRaw(gunzipSync(readFileSync(new URL(file, FOLDER))).toString('utf8'), file);
}

/** Returns the decisions, row by row, and their rounds. */
function describeDecision({ plan, ended }: Raw, rounds: readonly Round[]): string {
	const early = rounds.map((_, index) => decide(plan, rounds.slice(0, index + 1), null));
	const decision = decide(plan, rounds, ended);
	const lines = decision.rows.map((row, position) => {
		const settled = early.findIndex(({ rows }) => rows[position]?.final);
		return [
			row.cell,
			row.verdict,
			settled < 0 ? 'end' : `round ${settled + 1}`,
			...numbersOf(row),
			codesOf(row).join(' '),
		];
	});
	const head =
		'cell, verdict, settled, judged by, rounds, change, low, high, SD, p regressed, p unchanged, p improved, warnings';
	return `gate: ${decision.gate.outcome}\ndiscarded rounds: ${decision.discardedRounds.join(' ') || 'none'}
warnings: ${codesOf(decision).join(' ') || 'none'}\n\n${markdownTable([head.split(', '), ...lines])}\n`;
}

function numbersOf({ judgedBy, estimate, pRegressed, pUnchanged, pImproved }: RowDecision): string[] {
	const { change, interval, sd, rounds } = estimate ?? {};
	const numbers = [change, interval?.low, interval?.high, sd, pRegressed, pUnchanged, pImproved];
	return [judgedBy, String(rounds), ...numbers.map((number) => number?.toPrecision(DIGITS) ?? 'none')];
}

test('there are stored runs', () => {
	assert.ok(FILES.length >= 2);
});

for (const file of FILES) {
	const name = file.replace('.json.gz', '');

	test(`${name}: the verdicts of a stored run are unchanged`, () => {
		const raw = readRaw(file);
		assertGolden(`decisions/${name}.md`, describeDecision(raw, raw.rounds));
	});

	if (!name.endsWith('-against-itself')) continue;

	test(`${name}: the verdicts are unchanged with 5, 10 and 20 % of head's answers removed in the first three cells`, () => {
		const raw = readRaw(file);
		const rounds = DROPS.reduce<readonly Round[]>(
			(some, drop, index) => plantDrop(some, drop, [raw.plan.cells[index]?.id as string]),
			raw.rounds,
		);
		assertGolden(`decisions/${name}-planted.md`, describeDecision(raw, rounds));
	});
}
