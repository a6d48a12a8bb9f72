/** The stored baselines of the built-in servers can all be read, and make a dashboard. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { seAt } from '../../src/site/page/words.ts';
import type { SiteCell, SiteIndex } from '../../src/site/site-data.ts';
import { siteFiles } from '../../src/site/site-files.ts';
import { folderStore } from '../../src/store/folder-store.ts';
import { trendOf } from '../../src/trend/trend-of.ts';

const FOLDER = fileURLToPath(new URL('../../baselines', import.meta.url));
const FRAMEWORKS = readdirSync(FOLDER, { withFileTypes: true }).flatMap((entry) =>
	// Folders named by a year belong to the servers of this repository, which its own workflow measures.
	entry.isDirectory() && !/^\d{4}$/.test(entry.name) ? [entry.name] : [],
);

for (const framework of FRAMEWORKS) {
	describe(`baselines/${framework}`, () => {
		const store = folderStore(join(FOLDER, framework));

		test('every file is a record of that server, and each release is measured against the one before', async () => {
			const { records, notes, unread } = await store.read();
			assert.deepEqual({ notes, unread }, { notes: [], unread: [] });
			assert.ok(records.length >= 12);
			const anchors = records.map(({ anchor }) => anchor.sha).slice(1);
			assert.deepEqual(anchors, records.map(({ commit }) => commit.sha).slice(0, -1));
			for (const { cells } of records) assert.ok(cells.every(({ server }) => server === framework));
		});

		test('the chain of releases is one curve without a gap', async () => {
			const { records } = await store.read();
			const trend = trendOf(records);
			const files = siteFiles(
				trend,
				{ project: framework, repository: null, measuredAt: null },
				{ script: '', style: '' },
			);
			assert.ok(files.some(({ path }) => path === 'index.html'));
			assert.deepEqual(trend.eras.length, records.length);
			for (const row of trend.rows) assert.equal(row.points.length, records.length);
		});

		test('it stands at its newest record, and is not slower', async () => {
			const { records } = await store.read();
			const { commits, rows } = trendOf(records);
			for (const { cell, metric, standing } of rows) {
				const newest = records.find(({ commit }) => commit.sha === commits.at(-1)?.sha);
				const recorded = newest?.cells.find(
					(each) => `${each.server}/${each.scenario}` === cell && each.metric === metric,
				);
				assert.deepEqual(
					[standing?.theta, standing?.low, standing?.high, standing?.anchor.label],
					[recorded?.theta, recorded?.low, recorded?.high, newest?.anchor.label],
				);
				assert.ok(standing?.place === 'level' || standing?.place === 'unsure', standing?.place);
			}
		});

		test('the README names it', () => {
			assert.ok(readFileSync(join(FOLDER, 'README.md'), 'utf8').includes(`\`${framework}\``));
		});
	});
}

test('among the releases fastify 5.4.0 is the last fast one', async () => {
	const trend = trendOf((await folderStore(join(FOLDER, 'fastify')).read()).records);
	const info = { project: 'fastify', repository: null, measuredAt: null };
	const files = siteFiles(trend, info, { script: '', style: '' });
	const text = (start: string) => files.find(({ path }) => path.startsWith(start))?.text ?? '';
	const { eras, commits } = JSON.parse(text('data/index.json')) as SiteIndex;
	const cell = JSON.parse(text('data/c/fastify/')) as SiteCell;
	const { anchors } = cell;
	const levels = new Map(eras.map(({ anchor }, era) => [anchor, anchors[era]?.level ?? Number.NaN]));
	assert.ok((levels.get('v5.4.0') ?? 0) > 0.4 && (levels.get('v5.5.0') ?? 1) < 0.1, JSON.stringify([...levels]));
	assert.deepEqual(anchors.at(-1), { level: 0, se: 0 });
	for (const [era, { anchor }] of eras.entries()) {
		const point = cell.commit.findIndex((commit) => commits.label[commit] === anchor);
		// The first one was not measured itself.
		if (point < 0) assert.equal(era, 0);
		else assert.deepEqual([cell.level[point], seAt(cell, point)], [anchors[era]?.level, anchors[era]?.se], anchor);
	}
});

test('the slowdown of fastify 5.5.0 is found as the one change, at that release', async () => {
	const trend = trendOf((await folderStore(join(FOLDER, 'fastify')).read()).records);
	const [row] = trend.rows;
	const changeSteps = row?.changes.map(({ step, candidates }) => ({
		slower: step < Math.log(0.7),
		commits: candidates.map(({ commit }) => trend.commits[commit]?.label),
	}));
	assert.deepEqual(changeSteps, [{ slower: true, commits: ['v5.5.0'] }]);
});
