import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receivePublication } from '../../../src/action/receive/receive-publication.ts';
import { renderPublication } from '../../../src/formats/publication/publication-file.ts';
import { summarise } from '../../../src/judge/summarise.ts';
import type { Publication } from '../../../src/types/action-run.ts';
import { isUserError } from '../../../src/types/errors.ts';
import type { Raw, Result } from '../../../src/types/result.ts';
import { PUBLICATIONS, publicationCase, publicationOf } from '../../formats/publication-cases.ts';
import { resultOf } from '../../support/results.ts';
import { scriptPlan, scriptRounds } from '../../support/rounds.ts';

/** A writer that meddles. */
const MEDDLER = 'Canary';

function resultIn({ conclusion }: Publication): Result {
	assert.ok(conclusion.kind === 'compared');
	return conclusion.result;
}

/** The publication's JSON with another gate stated. */
function stating(publication: Publication, gate: unknown): string {
	return renderPublication(
		publicationOf({ kind: 'compared', result: { ...resultIn(publication), gate: gate as Result['gate'] } }),
	);
}

const FAILED = publicationCase('one-regressed');

for (const [name, publication] of PUBLICATIONS) {
	if (publication.conclusion.kind !== 'compared' || name === 'hostile') continue;
	test(`${name} is received with its own outcome, and nothing else of it changes`, () => {
		const received = resultIn(receivePublication(renderPublication(publication)));
		const own = resultIn(publication);
		assert.equal(received.gate.outcome, own.gate.outcome);
		assert.deepEqual({ ...received, gate: own.gate }, own);
	});
}

test('the gate of a real run comes back word for word', () => {
	const base = resultOf([]);
	const { tool, createdAt, threshold, tolerance, onInconclusive, head, environment, timing, reproduce } = base;
	const context = {
		tool,
		createdAt,
		threshold,
		tolerance,
		onInconclusive,
		base: base.base,
		head,
		environment,
		reproduce,
	};
	const plan = scriptPlan(['ping', 'slow']);
	const rounds = scriptRounds([-0.2, -0.21, -0.19, -0.2, -0.22, -0.2, -0.21, -0.2]);
	const raw: Raw = {
		schemaVersion: 1,
		kind: 'benchgate-raw',
		context: { ...context, warnings: [] },
		...{ plan, rounds, refused: [], ended: 'budget', timing },
	};
	const result = summarise(raw);
	assert.equal(result.gate.outcome, 'fail');
	const read = receivePublication(renderPublication(publicationOf({ kind: 'compared', result })));
	assert.deepEqual(resultIn(read), JSON.parse(JSON.stringify(result)));
});

/** Whether the text is refused for its gate. */
function isRefused(text: string): boolean {
	try {
		receivePublication(text);
		return false;
	} catch (error) {
		assert.ok(isUserError(error));
		assert.equal(error.code, 'bad-artifact');
		assert.equal(error.where, 'publication.json: /conclusion/result/gate/outcome');
		return true;
	}
}

test('a gate is made again from the rows, never believed', () => {
	for (const lie of ['pass', 'inconclusive', 'error']) {
		assert.ok(isRefused(stating(FAILED, { outcome: lie, reasons: [] })), lie);
	}
	const told = resultIn(receivePublication(stating(FAILED, { outcome: 'fail', reasons: [`${MEDDLER} regressed`] })));
	assert.deepEqual(told.gate, {
		outcome: 'fail',
		reasons: ['express/json-post throughput regressed: −8.7 % (interval −10.6 % to −6.8 %).'],
	});
});

test('an acceptance in an artifact does not count', () => {
	const accepted = { by: MEDDLER, via: 'body', reason: 'because I say so' };
	const gate = { outcome: 'pass', reasons: ['x regressed'], accepted };
	const read = resultIn(receivePublication(stating(FAILED, gate)));
	assert.equal(read.gate.outcome, 'fail');
	assert.ok(!('accepted' in read.gate));
	assert.ok(isRefused(stating(publicationCase('unchanged'), { ...gate, outcome: 'fail' })));
});
