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
import { CONTEXT, publicationCase } from './publication-cases.ts';

const CASES = 10_000;
const SEED = 20261121;
/** Accepted publications of which everything is rendered: that takes longer than reading. */
const RENDER_EVERY = 5;

/** Stands in every text of the publications: no message may have it. */
const CANARY = 'Canary';

const TEXTS = ['one-cell', 'invalid', 'new-and-removed', 'few-rounds', 'failed', 'nothing-relevant'].map((name) =>
	renderPublication(publicationCase(name)).replaceAll('"express', `"${CANARY}express`),
);

/** Values that fit nowhere, or nearly everywhere. */
const NASTY: readonly unknown[] = [
	...[null, true, 0, -0, -1, 1.5, 1e16, -1e16, 1e-320, 1e300, '', 'regressed', 'pass', CANARY, 'compared'],
	...['\ud800', '\u202e\u0000\n', '`'.repeat(900), '<!-- -->', '|'.repeat(500), 'x'.repeat(60_000)],
	...[[], {}, [[]], [null], { kind: 'cancelled' }, { low: null, high: null, confidence: 1 }],
	JSON.parse('{"__proto__":{"kind":"failed"},"constructor":{"prototype":1}}'),
];
const TOKENS = [
	'1e999',
	'-1e999',
	'"__proto__":',
	'[',
	']',
	'{',
	'}',
	'"',
	',',
	'\\u0000',
	'\\',
	'null',
	'-',
	'\ufeff',
];

type Change = (text: string) => string;

const changeValue: fc.Arbitrary<Change> = fc
	.tuple(
		fc.nat(),
		fc.constantFrom('alike', 'alike', 'replace', 'remove', 'add', 'copy'),
		fc.constantFrom(...NASTY),
		fc.nat(),
	)
	.map(([where, how, nasty, from]) => (text) => {
		const places = parsed(text);
		const place = places[where % Math.max(1, places.length)];
		if (!place) return text;
		const { holder, key, root } = place;
		if (how === 'remove') delete holder[key];
		else if (how === 'add') holder[CANARY] = nasty;
		else if (how === 'copy') holder[key] = valueAt(places[from % places.length]);
		else if (how === 'alike') holder[key] = alike(holder[key], from);
		else holder[key] = nasty;
		return stringify(root) ?? text;
	});

/** Another value of the same type. */
function alike(value: unknown, choice: number): unknown {
	const others = NASTY.filter((nasty) => typeof nasty === typeof value);
	return others[choice % Math.max(1, others.length)];
}

const changeText: fc.Arbitrary<Change> = fc
	.tuple(fc.nat(), fc.nat({ max: 40 }), fc.oneof(fc.constantFrom(...TOKENS), fc.string({ maxLength: 5 })))
	.map(([where, cut, token]) => (text) => {
		const at = where % (text.length + 1);
		return `${text.slice(0, at)}${token}${text.slice(at + cut)}`;
	});

const cutText: fc.Arbitrary<Change> = fc.nat().map((where) => (text) => text.slice(0, where % (text.length + 1)));

const hostileText = fc
	.tuple(
		fc.constantFrom(...TEXTS),
		fc.array(
			fc.oneof(
				{ arbitrary: changeValue, weight: 6 },
				{ arbitrary: changeText, weight: 3 },
				{ arbitrary: cutText, weight: 1 },
			),
			{ minLength: 1, maxLength: 3 },
		),
	)
	.map(([text, changes]) => changes.reduce((changed, change) => change(changed), text));

interface Spot {
	readonly holder: Record<string, unknown>;
	readonly key: string;
	readonly root: unknown;
}

/** Every place of the document; none when the text is no JSON any more. */
function parsed(text: string): Spot[] {
	try {
		const root: unknown = JSON.parse(text);
		return spotsOf(root, root);
	} catch {
		return [];
	}
}

function spotsOf(value: unknown, root: unknown): Spot[] {
	if (typeof value !== 'object' || value === null) return [];
	const holder = value as Record<string, unknown>;
	return Object.keys(holder).flatMap((key) => [{ holder, key, root }, ...spotsOf(holder[key], root)]);
}

function valueAt(spot: Spot | undefined): unknown {
	return spot?.holder[spot.key];
}

/** Null when a copy made a circle. */
function stringify(value: unknown): string | null {
	try {
		return JSON.stringify(value) ?? null;
	} catch {
		return null;
	}
}

function readOrRefuse(text: string): Publication | null {
	try {
		return readPublication(text);
	} catch (error) {
		if (!isUserError(error)) throw error;
		assert.ok(['bad-artifact', 'artifact-version'].includes(error.code), error.code);
		const said = `${error.message} ${error.where} ${error.remedy}`;
		assert.doesNotMatch(said, new RegExp(CANARY));
		assert.match(said, /^[\x20-\x7e]+$/);
		return null;
	}
}

/** Everything the reporting job makes of a publication. */
function renderAll({ conclusion, ...rules }: Publication): void {
	const consequence = consequenceOf(conclusion, rules);
	assert.ok(renderComment(conclusion, CONTEXT).length <= 65_000);
	assert.ok(buildCheck(conclusion, { ...CONTEXT, lineOf: () => null }).summary.length <= 65_535);
	assert.match(outputsOf(conclusion, consequence)['worst-change'], /^(?:-?[\d.e+-]+)?$/);
}

test('a mutated publication is read, and can be rendered, or is refused in our words', { timeout: 600_000 }, () => {
	let accepted = 0;
	const property = fc.property(hostileText, (text) => {
		const publication = readOrRefuse(text);
		if (publication === null) return;
		accepted++;
		if (accepted % RENDER_EVERY === 0) renderAll(publication);
	});
	fc.assert(property, { numRuns: CASES, seed: SEED });
	// Neither side of the property is empty.
	assert.ok(accepted > CASES / 50, `only ${accepted} were accepted`);
	assert.ok(accepted < CASES / 2, `${accepted} were accepted`);
});
