import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readPublication, renderPublication } from '../../src/formats/publication/publication-file.ts';
import { consequenceOf } from '../../src/judge/consequence.ts';
import { buildCheck } from '../../src/report/github/check.ts';
import { renderComment } from '../../src/report/github/comment.ts';
import { outputsOf } from '../../src/report/github/conclusion-outputs.ts';
import type { Publication } from '../../src/types/action-run.ts';
import { isUserError } from '../../src/types/errors.ts';
import { CANARY, hostileJson } from './hostile-json.ts';
import { CONTEXT, publicationCase } from './publication-cases.ts';

const CASES = 4000;
const SEED = 20261121;
/** One in so many accepted publications is rendered, which takes longer than reading. */
const RENDER_EVERY = 5;

const TEXTS = ['one-cell', 'invalid', 'new-and-removed', 'few-rounds', 'failed', 'nothing-relevant'].map((name) =>
	renderPublication(publicationCase(name)).replaceAll('"express', `"${CANARY}express`),
);

function readOrRefuse(text: string): Publication | null {
	try {
		return readPublication(text);
	} catch (error) {
		if (!isUserError(error)) throw error;
		assert.ok(['bad-artifact', 'artifact-version'].includes(error.code), error.code);
		const words = `${error.message} ${error.where} ${error.remedy}`;
		assert.doesNotMatch(words, new RegExp(CANARY));
		assert.match(words, /^[\x20-\x7e]+$/);
		return null;
	}
}

/** All texts that the reporting job makes of a publication. */
function renderAll({ conclusion, ...rules }: Publication): void {
	const consequence = consequenceOf(conclusion, rules);
	assert.ok(renderComment(conclusion, CONTEXT).length <= 65_000);
	assert.ok(buildCheck(conclusion, { ...CONTEXT, lineOf: () => null }).summary.length <= 65_535);
	assert.match(outputsOf(conclusion, consequence)['worst-change'], /^(?:-?[\d.e+-]+)?$/);
}

test('a mutated publication is read and can be rendered, or is refused in our words', { timeout: 600_000 }, () => {
	let accepted = 0;
	const property = fc.property(hostileJson(TEXTS), (text) => {
		const publication = readOrRefuse(text);
		if (publication === null) return;
		accepted++;
		if (accepted % RENDER_EVERY === 0) renderAll(publication);
	});
	fc.assert(property, { numRuns: CASES, seed: SEED });
	// Both outcomes occur.
	assert.ok(accepted > CASES / 50, `only ${accepted} were accepted`);
	assert.ok(accepted < CASES / 2, `${accepted} were accepted`);
});
