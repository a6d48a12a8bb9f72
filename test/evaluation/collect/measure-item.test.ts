import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Item } from '../../../evaluation/collect/item.ts';
import { measureItem } from '../../../evaluation/collect/measure-item.ts';
import type { MeasureContext, Participant, ParticipantContext } from '../../../evaluation/collect/participant.ts';
import { openJournal, readAllSeries } from '../../../evaluation/series-files.ts';
import type { Affinity } from '../../../src/measure/affinity.ts';
import { describeEnvironment } from '../../../src/measure/machine.ts';
import type { Round } from '../../../src/types/round.ts';
import { syntheticSeries } from '../support/series.ts';

const HOUR = 3600;
const SERIES = syntheticSeries({ id: 'resumed', designs: ['duet'], rounds: 3 });
const ITEM: Item = {
	...{ id: SERIES.id, experiment: SERIES.experiment, effect: SERIES.effect, designs: ['duet'], rounds: 3 },
	...{ server: 'express', scenarios: ['param-json'], timing: {}, seed: 1 },
};

/** A participant without a server: its rounds are invented, and only their start times are real. */
async function openScripted(_item: Item, { startedAt }: ParticipantContext): Promise<Participant> {
	return {
		plans: SERIES.plans,
		versions: SERIES.versions,
		laboratory: {
			verify: async () => [],
			warnings: () => [],
			async runRound({ round }) {
				const began = (Date.now() - startedAt) / 1000;
				const one = SERIES.rounds[round - 1] as Round;
				const cells = one.cells.map((cell) => ({
					...cell,
					windows: cell.windows.map((window) => ({ ...window, startedAt: began + 1 })),
				}));
				return { ...one, startedAt: began, cells };
			},
		},
	};
}

/** A context with its own folder and no server. */
function makeContext(scope: TestContext): MeasureContext {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-collect-'));
	scope.after(() => rmSync(folder, { recursive: true, force: true }));
	const environment = () => describeEnvironment({ note: 'nothing is pinned' } as Affinity, process.execPath);
	return { folder, bench: { environment }, hasTime: () => true } as unknown as MeasureContext;
}

test('rounds of a resumed series are timed from the beginning of the series, not of the call', async (scope) => {
	const context = makeContext(scope);
	const { folder } = context;
	const createdAt = new Date(Date.now() - 2 * HOUR * 1000).toISOString();
	const environment = context.bench.environment();
	const journal = await openJournal(folder, { ...SERIES, environment, createdAt });
	await journal.append(SERIES.rounds[0] as Round);
	assert.equal(await measureItem(ITEM, { ...context, hasTime: () => false }, openScripted), false);
	assert.equal(await measureItem(ITEM, context, openScripted), true);

	const [series] = (await readAllSeries(folder)).series;
	assert.equal(series?.createdAt, createdAt);
	assert.deepEqual(
		series?.rounds.map(({ round }) => round),
		[1, 2, 3],
	);
	const [first, ...resumed] = series?.rounds ?? [];
	assert.ok((first?.startedAt ?? HOUR) < HOUR);
	for (const round of resumed) {
		const moments = [round.startedAt, ...round.cells.flatMap(({ windows }) => windows.map((one) => one.startedAt))];
		assert.ok(
			moments.every((moment) => moment >= 2 * HOUR && moment < 3 * HOUR),
			moments.join(' '),
		);
	}
});

test('rounds of a new series are timed from the moment in its header', async (scope) => {
	const context = makeContext(scope);
	let handed = 0;
	const open = (item: Item, options: ParticipantContext) => {
		handed = options.startedAt;
		return openScripted(item, options);
	};
	assert.equal(await measureItem(ITEM, context, open), true);
	const [series] = (await readAllSeries(context.folder)).series;
	assert.equal(Date.parse(series?.createdAt ?? ''), handed);
	assert.ok((series?.rounds[0]?.startedAt ?? HOUR) < HOUR);
});
