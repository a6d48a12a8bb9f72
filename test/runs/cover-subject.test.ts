import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coverSubject } from '../../src/runs/cover-subject.ts';
import type { CellCoverage } from '../../src/types/coverage.ts';
import type { Prepared } from '../../src/types/prepared.ts';
import { examplePlan } from '../plan/example-plan.ts';
import { prepareFixture } from '../support/short-rounds.ts';

const { cells } = examplePlan(['express/ping', 'express/production-stack']);

function withSubject(name: string): Prepared {
	const { sides, ...others } = prepareFixture({ base: '', head: '' });
	const info = { ...sides.base.info, subject: { name, version: '1.0.0' } };
	return { ...others, sides: { ...sides, base: { ...sides.base, info } } };
}

/** Covers with a laboratory in which only the named cell runs the package; returns the outcome and the covered cells. */
async function coverWith(prepared: Prepared, name: string, running: string) {
	const covered: string[] = [];
	const cover = async ({ id }: { readonly id: string }): Promise<CellCoverage> => {
		covered.push(id);
		const path = `express/node_modules/${id === running ? name : 'other'}/index.js`;
		const scripts = [{ path, hash: '', functions: [[0, 9, 'run', 0, 5] as const] }];
		return { requests: 5, scripts, reads: [], texts: [], unseen: [] };
	};
	return { outcome: await coverSubject({ cover }, cells, { subject: '.' }, prepared), covered };
}

test('starts with rows known to run the subject, and ends with the first that does', async () => {
	const { outcome, covered } = await coverWith(withSubject('compression'), 'compression', 'express/production-stack');
	assert.deepEqual(covered, ['express/production-stack']);
	assert.equal(outcome?.cell, 'express/production-stack');
	assert.equal(outcome.warning, null);
});

test('warns with built-in rows after all cells ran without the subject', async () => {
	const { outcome, covered } = await coverWith(withSubject('cors'), 'cors', 'nowhere');
	assert.equal(covered.length, cells.length);
	assert.match(
		outcome?.warning?.message ?? '',
		/^No row runs any function of cors .* run it: express\/cors-preflight, express\/production-stack/,
	);
});

test('covers nothing without a subject', async () => {
	const { outcome, covered } = await coverWith(prepareFixture({ base: '', head: '' }), 'x', 'express/ping');
	assert.deepEqual([outcome, covered], [null, []]);
});
