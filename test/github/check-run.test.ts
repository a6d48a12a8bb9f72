import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CheckEnd, findEarlierRuns, finishCheck, startCheck } from '../../src/github/check-run.ts';
import type { GitHub } from '../../src/github/github-client.ts';
import type { Annotation } from '../../src/types/action-run.ts';
import { badGateway } from '../support/github/faults.ts';
import { connect, HEAD, REPOSITORY, requestsTo, runOf } from './support.ts';

const PLACE = { repository: REPOSITORY, headSha: HEAD, key: 'default', run: runOf(10) };

function annotate(count: number, given: Partial<Annotation> = {}): Annotation[] {
	return Array.from({ length: count }, (_, index) => ({
		path: 'benchgate.yml',
		line: index + 1,
		level: 'failure',
		title: `Row ${index}`,
		message: 'slower',
		...given,
	}));
}

async function start(github: GitHub): Promise<number> {
	const started = await startCheck(github, PLACE);
	assert.ok('id' in started);
	return started.id;
}

function endOf(id: number, given: Partial<CheckEnd['output']> = {}): CheckEnd {
	const output = { title: 'Slower', summary: 'Report', annotations: [], ...given };
	return { repository: REPOSITORY, id, conclusion: 'failure', output };
}

test('a check run is in progress on the head, and links to the run', async (t) => {
	const { github, double } = await connect(t);
	const started = await startCheck(github, PLACE);
	const [check] = double.state.checkRuns;
	assert.ok(check && 'id' in started);
	assert.equal(started.id, check.id);
	assert.equal(check.name, 'benchgate');
	assert.equal(check.headSha, HEAD);
	assert.equal(check.status, 'in_progress');
	assert.equal(check.detailsUrl, PLACE.run.url);
	assert.equal(check.externalId, 'benchgate:default:10:1');
});

test('a key of its own is in the name', async (t) => {
	const { github, double } = await connect(t);
	await startCheck(github, { ...PLACE, key: 'node-24' });
	assert.equal(double.state.checkRuns[0]?.name, 'benchgate (node-24)');
});

test('a restart in the same attempt finds the check run, a new attempt makes its own', async (t) => {
	const { github, double } = await connect(t);
	const first = await start(github);
	assert.equal(await start(github), first);
	await startCheck(github, { ...PLACE, run: runOf(10, 2) });
	assert.equal(double.state.checkRuns.length, 2);
});

test('the check run of this attempt is found among many', async (t) => {
	const { github, double } = await connect(t);
	const first = await start(github);
	const [check] = double.state.checkRuns;
	assert.ok(check);
	for (let id = 1; id <= 250; id++) {
		double.state.checkRuns.push({ ...check, id: first + id, externalId: `benchgate:default:${10 + id}:1` });
	}
	assert.equal(await start(github), first);
});

test('it is concluded with title, summary, text and annotations', async (t) => {
	const { github, double } = await connect(t);
	const id = await start(github);
	assert.equal(await finishCheck(github, endOf(id, { text: 'More', annotations: annotate(2) })), null);
	const [check] = double.state.checkRuns;
	assert.equal(check?.status, 'completed');
	assert.equal(check.conclusion, 'failure');
	assert.deepEqual(check.output, { title: 'Slower', summary: 'Report', text: 'More' });
	assert.deepEqual(check.annotations[1], {
		path: 'benchgate.yml',
		start_line: 2,
		end_line: 2,
		annotation_level: 'failure',
		title: 'Row 1',
		message: 'slower',
	});
});

for (const conclusion of ['success', 'failure', 'neutral', 'cancelled'] as const) {
	test(`conclusion ${conclusion}`, async (t) => {
		const { github, double } = await connect(t);
		const id = await start(github);
		assert.equal(await finishCheck(github, { ...endOf(id), conclusion }), null);
		assert.equal(double.state.checkRuns[0]?.conclusion, conclusion);
	});
}

test('120 annotations take three requests after the conclusion, and are not added twice', async (t) => {
	const { github, double } = await connect(t);
	const end = endOf(await start(github), { annotations: annotate(120) });
	assert.equal(await finishCheck(github, end), null);
	assert.equal(requestsTo(double, 'PATCH').length, 4);
	assert.equal(await finishCheck(github, end), null);
	assert.equal(requestsTo(double, 'PATCH').length, 5);
	assert.deepEqual(
		double.state.checkRuns[0]?.annotations.map(({ title }) => title),
		end.output.annotations.map(({ title }) => title),
	);
});

test('the conclusion stands although annotations fail', async (t) => {
	const { github, double } = await connect(t);
	const id = await start(github);
	let updates = 0;
	github.hook.before('request', ({ method }) => {
		if (method === 'PATCH' && ++updates === 2) double.state.faults.push(badGateway(/^PATCH /, { times: 9 }));
	});
	const warning = await finishCheck(github, endOf(id, { annotations: annotate(60) }));
	assert.equal(warning?.code, 'github-unreachable');
	assert.match(warning?.message ?? '', /all annotations/);
	assert.equal(double.state.checkRuns[0]?.conclusion, 'failure');
});

test('GitHub’s limits hold: title, bytes of summary and text, messages, lines', async (t) => {
	const { github, double } = await connect(t);
	const id = await start(github);
	const wide = '├──●──┤'.repeat(5000);
	const annotations = annotate(1, { title: '😀'.repeat(300), message: 'm'.repeat(90_000), line: 0 });
	const output = { title: 'T'.repeat(300), summary: wide, text: wide, annotations };
	assert.equal(await finishCheck(github, endOf(id, output)), null);
	const [check] = double.state.checkRuns;
	assert.equal(check?.output.title?.length, 255);
	assert.match(check.output.summary ?? '', /too long for a check/);
	assert.equal(check.output.text, null);
	const [annotation] = check.annotations;
	assert.ok(String(annotation?.title).length <= 255 && String(annotation?.title).isWellFormed());
	assert.ok(String(annotation?.message).length <= 64_000);
	assert.equal(annotation?.start_line, 1);
});

test('a lost response leaves one check run', async (t) => {
	const { github, double } = await connect(t, { faults: [badGateway(/^POST /, { applied: true })] });
	assert.equal(await start(github), double.state.checkRuns[0]?.id);
	assert.equal(double.state.checkRuns.length, 1);
});

test('a lost request is repeated', async (t) => {
	const { github, double } = await connect(t, { faults: [badGateway(/^POST /)] });
	await start(github);
	assert.equal(double.state.checkRuns.length, 1);
});

test('the conclusion is repeated after errors of GitHub', async (t) => {
	const { github, double } = await connect(t, { faults: [badGateway(/^PATCH /, { times: 2 })] });
	assert.equal(await finishCheck(github, endOf(await start(github))), null);
	assert.equal(double.state.checkRuns[0]?.status, 'completed');
});

test('a read-only token is a warning with the YAML to add', async (t) => {
	const { github } = await connect(t, { permissions: { checks: 'read' } });
	const started = await startCheck(github, PLACE);
	assert.ok('warning' in started);
	assert.equal(started.warning.code, 'missing-permission');
	assert.match(started.warning.message, /start the check run.*permissions: \{ contents: read, checks: write \}$/);
});

test('for a fork the warning names the report workflow', async (t) => {
	const { github } = await connect(t, { permissions: { checks: 'read' } });
	const started = await startCheck(github, { ...PLACE, fromFork: true });
	assert.ok('warning' in started);
	assert.match(started.warning.message, /mode: report/);
});

test('a personal token cannot write check runs: GitHub gives the reason', async (t) => {
	const { github } = await connect(t, { user: { login: 'robot', type: 'User' } });
	const started = await startCheck(github, PLACE);
	assert.ok('warning' in started);
	assert.equal(started.warning.code, 'github-refused');
	assert.match(started.warning.message, /GitHub App/);
});

test('a deleted check run is a warning', async (t) => {
	const { github } = await connect(t);
	assert.equal((await finishCheck(github, endOf(404)))?.code, 'missing-permission');
});

const SECOND_ATTEMPT = { repository: REPOSITORY, headSha: HEAD, key: 'default', run: runOf(70, 2) };

test('earlier runs and attempts of the same commit and key are named, oldest first; later and cancelled ones are not', async (t) => {
	const { github } = await connect(t);
	const conclude = async (
		place: typeof SECOND_ATTEMPT,
		conclusion: 'failure' | 'success' | 'cancelled' | 'neutral',
	) => {
		const started = await startCheck(github, place);
		assert.ok('id' in started);
		const output = { title: `it was ${conclusion}`, summary: 'Report', annotations: [] };
		assert.equal(await finishCheck(github, { repository: REPOSITORY, id: started.id, conclusion, output }), null);
	};
	await conclude({ ...SECOND_ATTEMPT, run: runOf(70, 1) }, 'failure');
	await conclude({ ...SECOND_ATTEMPT, run: runOf(60) }, 'neutral');
	await conclude({ ...SECOND_ATTEMPT, run: runOf(61) }, 'cancelled');
	await conclude({ ...SECOND_ATTEMPT, run: runOf(70, 3) }, 'success');
	await conclude({ ...SECOND_ATTEMPT, key: 'command', run: runOf(62) }, 'success');
	await conclude({ ...SECOND_ATTEMPT, headSha: 'e'.repeat(40), run: runOf(63) }, 'success');
	await startCheck(github, SECOND_ATTEMPT);
	assert.deepEqual(await findEarlierRuns(github, SECOND_ATTEMPT), [
		{ run: { id: 60, attempt: 1 }, conclusion: 'neutral', title: 'it was neutral' },
		{ run: { id: 70, attempt: 1 }, conclusion: 'failure', title: 'it was failure' },
	]);
});

test('a token without access to checks finds no earlier runs', async (t) => {
	const { github } = await connect(t, { permissions: { checks: 'none' } });
	assert.deepEqual(await findEarlierRuns(github, SECOND_ATTEMPT), []);
});
