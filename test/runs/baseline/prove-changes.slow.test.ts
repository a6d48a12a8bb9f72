/** The next measuring run proves a suspected slowdown of a real server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBaseline, renderBaseline } from '../../../src/formats/baseline/baseline-file.ts';
import { runBaseline } from '../../../src/runs/baseline/run-baseline.ts';
import { trendOf } from '../../../src/trend/trend-of.ts';
import type { BaselineRecord } from '../../../src/types/baseline.ts';
import { commit, makeFolder } from '../../prepare/support.ts';
import { levelCell, levelOfCommit } from '../../support/baselines/baselines.ts';
import { CONFIG, openBaseline, serverOf } from './tiny-branch.ts';

const SLOWER = 4;
const COMMITS = 8;
/** Half the throughput or less: no machine is noisy enough to hide that. */
const SPIN = `const { createHash } = require('node:crypto');
const table = Buffer.alloc(400_000, 'slow');
const work = () => createHash('sha512').update(table).digest();
`;
const slowServerOf = (comment: string) =>
	`${SPIN}${serverOf(comment).replace("response.setHeader('content-type'", "work();\n\tresponse.setHeader('content-type'")}`;

test('the commits before and after a suspected change are measured against each other, and the record proves it', async (t) => {
	const cwd = makeFolder(t);
	commit(cwd, 'v1.0.0', { 'server.js': serverOf('release') });
	const { optionsFor, commits } = await openBaseline(t, cwd);

	// Records of earlier runs: a loss of a tenth, because beyond 15 % the anchor would move.
	const [server] = CONFIG.servers;
	const earlier: BaselineRecord[] = [];
	const release = (await optionsFor([])).release;
	assert.ok(server && release);
	for (let index = 0; index < COMMITS; index++) {
		const source = index < SLOWER ? serverOf : slowServerOf;
		commit(cwd, `commit-${index}`, { 'server.js': source(`commit ${index}`) });
		const { commit: own } = await commits.findHead('HEAD');
		const theta = (index < SLOWER ? 0 : -0.1) + 0.001 * (index % 3);
		const cell = levelCell(theta, { server: server.name });
		earlier.push(levelOfCommit(index, release, [cell], { commit: own, createdAt: own.committedAt }));
	}
	const [suspected] = trendOf(earlier).rows[0]?.changes ?? [];
	assert.equal(suspected?.state, 'suspected');

	// The head is the commit measured last, so that only the proof is measured.
	const last = earlier.pop();
	const [measured] = (await runBaseline(await optionsFor([]))).records;
	assert.ok(last && measured);
	earlier.push({ ...last, subjectDigest: measured.subjectDigest });
	const options = await optionsFor(earlier, {
		config: { ...CONFIG, rounds: 6, budgetSeconds: 600 },
		proving: {
			changeNotes: [],
			reproduceDuet: ({ base, head }, { threshold }) => `compare ${base} ${head} ${threshold}`,
		},
	});
	const { records, notes } = await runBaseline(options);
	const [proof, ...others] = records;
	assert.ok(proof?.purpose === 'proof' && others.length === 0, JSON.stringify([notes, records]));
	assert.ok('record' in readBaseline(renderBaseline(proof), 'proof.json'), 'it fits the schema of the store');
	const shaOf = (index: number) => earlier[index]?.commit.sha;
	assert.deepEqual(
		[proof.anchor.sha, proof.anchor.kind, proof.commit.sha],
		[shaOf(SLOWER - 1), 'commit', shaOf(SLOWER)],
	);
	assert.match(proof.reproduce, new RegExp(`^compare git:${shaOf(SLOWER - 1)} git:${shaOf(SLOWER)} 0\\.\\d`));
	const [cell] = proof.cells;
	assert.ok(cell && (cell.theta ?? 0) < -0.3, JSON.stringify(cell));
	assert.equal(cell.verdict, 'regressed');
	const [row] = trendOf([...earlier, ...records]).rows;
	assert.equal(row?.changes[0]?.state, 'confirmed');
	assert.equal(row?.changes[0]?.proof?.outcome, 'shown');

	await t.test('a proven change is not proven again', async () => {
		const again = await runBaseline({ ...options, earlier: [...earlier, ...records] });
		assert.ok(again.records.every(({ purpose }) => purpose !== 'proof'));
	});
});
