/** Random edits of real packages, with V8's coverage of their functions. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Token, tokenizer } from 'acorn';
import { readScript, type Script } from '../../src/impact/canonical.ts';
import { functionsRun } from '../../src/impact/functions-run.ts';
import type { Unit } from '../../src/impact/scopes.ts';
import { createRandom } from '../../src/stats/random.ts';
import { cover, type Files, impactOf, reasonOf } from './cover.ts';

const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url));
const PACKAGES = ['ajv', 'fast-deep-equal', 'fast-uri', 'json-schema-traverse', 'require-from-string', 'semver'];
const EDITS = 30;

function filesOf(name: string): readonly (readonly [string, string])[] {
	return globSync(`${name}/**/*.{js,json}`, { cwd: MODULES }).map((path) => [
		`node_modules/${path}`,
		readFileSync(MODULES + path, 'utf8'),
	]);
}

const ENTRY = 'server.js';
const BASE: Files = {
	...Object.fromEntries(PACKAGES.flatMap(filesOf)),
	[ENTRY]: `const Ajv = require('ajv')
const semver = require('semver')
const validate = new Ajv().compile({ type: 'object', properties: { a: { type: 'integer', minimum: 1 } }, required: ['a'] })
module.exports = () => [validate({ a: 2 }), validate({}), semver.satisfies('1.2.3', '^1.0.0'), semver.inc('1.2.3', 'minor')]
`,
};
const coverage = await cover(BASE, ENTRY, (server) => (server as () => unknown)());

interface Covered {
	readonly path: string;
	readonly script: Script;
	readonly run: readonly Unit[];
	readonly idle: readonly Unit[];
}
const scripts = coverage.scripts.map(({ path, functions }): Covered => {
	const script = readScript(BASE[path] ?? '', ['script'], null);
	assert.ok(script, path);
	const ran = functionsRun(script, functions);
	const within = (unit: Unit) => unit.parent !== null && unit.node.type !== 'ArrowFunctionExpression';
	const units = [...script.units.values()].filter(within);
	const isIdle = (unit: Unit) => !ran.has(unit) && unit.parent !== null && ran.has(unit.parent);
	return { path, script, run: units.filter((unit) => ran.has(unit)), idle: units.filter(isIdle) };
});
const random = createRandom(71);
const pick = <T>(from: readonly T[]): T => from[Math.floor(random.next() * from.length)] as T;

function edited(path: string, at: number, inserted: string): Files {
	const text = BASE[path] ?? '';
	return { ...BASE, [path]: text.slice(0, at) + inserted + text.slice(at) };
}

/** Before the first statement that is no directive. */
function insertInto(unit: Unit, statement: string, { path }: Covered): Files {
	const body = (
		unit.node as unknown as { readonly body: { readonly body: readonly { directive?: string; end: number }[] } }
	).body;
	const last = body.body.filter(({ directive }) => directive !== undefined).at(-1);
	return edited(path, last?.end ?? unit.bodyStart + 1, statement);
}

test('a statement in a function that ran affects the cell, and names the function', () => {
	const candidates = scripts.flatMap((covered) => covered.run.map((unit) => [covered, unit] as const));
	assert.ok(candidates.length > 100, `${candidates.length}`);
	for (let edit = 0; edit < EDITS; edit += 1) {
		const [covered, unit] = pick(candidates);
		const statement = pick([';globalThis.x;', ';if (false) { arguments; }', ';{ let y = () => y }', ';throw 1;']);
		const reason = reasonOf(BASE, insertInto(unit, statement, covered), coverage);
		assert.equal(reason?.kind, 'code', `${covered.path} ${unit.name} ${statement}`);
		assert.equal(reason.change.path, covered.path);
		if (statement.includes('globalThis')) assert.equal(reason.change.name, unit.name);
	}
});

test('a statement in a function that did not run affects no cell, and is listed', () => {
	const candidates = scripts.flatMap((covered) => covered.idle.map((unit) => [covered, unit] as const));
	assert.ok(candidates.length > 50, `${candidates.length}`);
	for (let edit = 0; edit < EDITS; edit += 1) {
		const [covered, unit] = pick(candidates);
		const { cells, changes } = impactOf(BASE, insertInto(unit, ';globalThis.x;', covered), coverage);
		assert.equal(cells.get('cell'), null, `${covered.path} ${unit.name}`);
		assert.deepEqual(
			changes.map(({ name, path, cells: affected }) => [name, path, affected]),
			[[unit.name, covered.path, []]],
		);
	}
});

/** Text before these tokens belongs to a template. */
const TEMPLATE = new Set(['template', '`', '${']);

test('comments and white space between tokens affect no cell', () => {
	for (let edit = 0; edit < EDITS; edit += 1) {
		const { path, script } = pick(scripts);
		const tokens: Token[] = [...tokenizer(script.text, { ecmaVersion: 'latest' })];
		const token = pick(tokens.filter(({ type }) => !TEMPLATE.has(type.label)));
		const head = edited(path, token.start, pick([' ', '/* comment */', '\t /**/ ']));
		assert.equal(reasonOf(BASE, head, coverage), null, `${path} at ${token.start}`);
	}
});

/** Keeps the kind of a token: a name stays a name, a number a number. */
function otherToken({ text }: Script, { start, end, type }: Token): string {
	const source = text.slice(start, end);
	if (type.label === 'num') return `${source}1`.replace('n1', '1n');
	if (type.label === 'string') return `${source.slice(0, -1)}x${source.slice(-1)}`;
	return `${source}_`;
}

test('another name, number or string in code that ran affects the cell', () => {
	let edits = 0;
	for (let attempt = 0; edits < EDITS && attempt < 40 * EDITS; attempt += 1) {
		const covered = pick(scripts);
		const tokens: Token[] = [...tokenizer(covered.script.text, { ecmaVersion: 'latest' })];
		const token = pick(tokens.filter(({ type }) => ['name', 'num', 'string'].includes(type.label)));
		if (token === undefined) continue;
		const inside = covered.run
			.filter(({ bodyStart, end }) => bodyStart < token.start && token.end < end)
			.toSorted((a, b) => b.bodyStart - a.bodyStart)[0];
		const nested = [...covered.script.units.values()].some(
			(unit) => unit.parent === inside && unit.start <= token.start && token.end <= unit.end,
		);
		if (!inside || nested) continue;
		edits += 1;
		const text = covered.script.text;
		const changed = otherToken(covered.script, token);
		const head = { ...BASE, [covered.path]: text.slice(0, token.start) + changed + text.slice(token.end) };
		assert.equal(reasonOf(BASE, head, coverage)?.kind, 'code', `${covered.path} ${token.start} ${changed}`);
	}
	assert.equal(edits, EDITS);
});
