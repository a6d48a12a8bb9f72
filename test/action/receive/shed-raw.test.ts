/** Limits of reports by count: the largest allowed raw data shrink, and verdicts stay the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shedRaw } from '../../../src/action/receive/shed-raw.ts';
import { RAW_LIMITS } from '../../../src/formats/raw/raw-limits.ts';
import { summarise } from '../../../src/judge/summarise.ts';
import type { Raw } from '../../../src/types/result.ts';
import type { Fault } from '../../../src/types/round.ts';
import { rawOf } from './raw-cases.ts';

const TEXT = 'x'.repeat(RAW_LIMITS.text);
const WARNINGS = Array.from({ length: RAW_LIMITS.warnings }, () => ({ code: TEXT, message: TEXT }));
const FAULTS = Array.from({ length: 60 }, (): Fault => ({ code: TEXT, side: 'head', message: TEXT }));
const PACKAGES = Array.from({ length: RAW_LIMITS.packages - 1 }, (_, index) => [
	`package-${index}`,
	TEXT.slice(0, 500),
]);

/** A row that got slower, one that broke in every round, and as many texts as allowed. */
function fullRaw(): Raw {
	const { context, rounds, ...raw } = rawOf({ turns: { checkout: -0.1 }, rounds: 6 });
	const head = { ...context.head, label: TEXT, versions: { app: Object.fromEntries(PACKAGES) } };
	return {
		...raw,
		context: { ...context, head, warnings: WARNINGS, reproduce: `npx benchgate compare ${TEXT}` },
		rounds: rounds.map((round) => ({
			...round,
			cells: round.cells.map((turn) => (turn.cell === 'app/home' ? { ...turn, faults: FAULTS } : turn)),
		})),
	};
}

test('parts that no report shows are dropped by count before further work', () => {
	const { context, rounds } = shedRaw(fullRaw(), null);
	assert.ok(JSON.stringify(context).length < 200_000, `${JSON.stringify(context).length} characters of context`);
	const faults = rounds.map(({ cells }) => cells.map((turn) => turn.faults));
	assert.ok(JSON.stringify(faults).length < 6 * 150_000, `${JSON.stringify(faults).length} characters of faults`);
});

test('rows and verdicts are those of the whole data', () => {
	const raw = fullRaw();
	const verdicts = (of: Raw) => summarise(of).cells.map(({ server, scenario, verdict }) => [server, scenario, verdict]);
	assert.deepEqual(verdicts(shedRaw(raw, null)), verdicts(raw));
});
