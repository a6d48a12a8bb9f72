import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { orderKeys } from '../../src/formats/order-keys.ts';
import { parseRaw, renderRaw, renderRawPieces } from '../../src/formats/raw/raw-file.ts';
import { isUserError, type UserError } from '../../src/types/errors.ts';
import type { Raw } from '../../src/types/result.ts';
import { RAW_SCHEMA } from '../../src/types/result.ts';
import { resultOf } from '../support/results.ts';
import { scriptPlan, scriptRounds } from '../support/rounds.ts';
import { strictly } from '../support/strict-schema.ts';

const { tool, createdAt, threshold, tolerance, onInconclusive, base, head, environment, timing, reproduce } = resultOf(
	[],
);

const RAW: Raw = {
	schemaVersion: 1,
	kind: 'benchgate-raw',
	context: {
		...{ tool, createdAt, threshold, tolerance, onInconclusive, base, head, environment, reproduce },
		harness: { label: '3c1f2a9', sha: '3c1f2a9'.padEnd(40, '0'), folders: ['bench'] },
		warnings: [{ code: 'dependencies-differ', message: 'router differs.' }],
	},
	plan: scriptPlan(['ping'], {
		oneSided: [
			{
				id: 'app/new',
				server: 'app',
				scenario: 'new',
				threshold,
				tolerance,
				verdict: 'new',
				reason: 'Only head has it.',
			},
		],
	}),
	rounds: scriptRounds([
		-0.1 / 3,
		{ d: 0.01, cpu: null, solo: [1000, 990], otherCpu: null },
		{ d: 0, faults: [{ code: 'crashed', side: 'head', message: 'gone' }] },
	]),
	refused: [{ cell: 'app/bad', fault: { code: 'bodies-differ', side: null, message: 'bodies differ' } }],
	ended: 'budget',
	timing,
};

/** The error of parsing; fails without one. */
function errorOf(text: string, version?: string): UserError {
	try {
		parseRaw(text, 'raw.json', version);
	} catch (error) {
		if (isUserError(error)) return error;
		throw error;
	}
	return assert.fail('parseRaw accepted the text');
}

const changed = (path: readonly (string | number)[], value: unknown): string => {
	const copy = JSON.parse(renderRaw(RAW));
	let place = copy;
	for (const key of path.slice(0, -1)) place = place[key];
	place[path.at(-1) as string] = value;
	return JSON.stringify(copy);
};

test('raw data survive writing and reading bit for bit', () => {
	assert.deepEqual(parseRaw(renderRaw(RAW)), RAW);
	assert.equal(renderRaw(parseRaw(renderRaw(RAW))), renderRaw(RAW));
});

test('the pieces of a raw file join to the text written at once', () => {
	for (const raw of [RAW, { ...RAW, rounds: [] }]) {
		const pieces = [...renderRawPieces(raw)];
		assert.equal(pieces.join(''), `${JSON.stringify(orderKeys(raw, RAW_SCHEMA, RAW_SCHEMA))}\n`);
		const longest = Math.max(...raw.rounds.map((round) => JSON.stringify(round).length), 10_000);
		assert.ok(pieces.every((piece) => piece.length <= longest + 1));
	}
});

test('the schema knows every key of the types', () => {
	const validate = new Ajv2020({ allowUnionTypes: true, allErrors: true }).compile(strictly(RAW_SCHEMA));
	validate(JSON.parse(renderRaw(RAW)));
	assert.deepEqual(validate.errors, null);
});

test('keys of a later version are ignored', () => {
	assert.equal(parseRaw(changed(['context', 'later'], 1)).ended, 'budget');
});

test('a truncated file is an error of the user, not a crash', () => {
	const error = errorOf(renderRaw(RAW).slice(0, 500));
	assert.equal(error.code, 'raw-not-json');
	assert.equal(error.where, 'raw.json');
	assert.match(error.message, /cut off/);
});

test('another kind of file is an error that names the right one', () => {
	for (const text of ['null', '[]', '"text"', '{}', JSON.stringify(resultOf([]))]) {
		assert.equal(errorOf(text).code, 'raw-kind');
	}
});

test('another schema version names the version of benchgate that reads it, and the command', () => {
	const later = {
		...RAW,
		schemaVersion: 2,
		context: { ...RAW.context, tool: { name: 'benchgate', version: '0.3.0' } },
	};
	const error = errorOf(JSON.stringify(later), '0.1.0');
	assert.equal(error.code, 'raw-version');
	assert.equal(
		error.message,
		'the file was written by benchgate 0.3.0 with schema version 2; this is benchgate 0.1.0, which reads version 1',
	);
	assert.equal(error.remedy, 'run npx benchgate@0.3.0 judge raw.json');
	assert.match(errorOf(JSON.stringify(later)).message, /; this benchgate reads version 1$/);
});

test('an unknown, odd or current version of the writer is in no command', () => {
	const remedyOf = (version: unknown) => {
		const context = { ...RAW.context, tool: { name: 'benchgate', version } };
		return errorOf(JSON.stringify({ ...RAW, schemaVersion: 2, context }), '0.1.0').remedy;
	};
	const other = 'judge it with the version of benchgate that wrote it';
	assert.equal(remedyOf(undefined), other);
	assert.equal(remedyOf('1.0.0; rm -rf ~'), other);
	assert.equal(remedyOf('0.1.0'), 'use the file exactly as `benchgate compare --raw` wrote it');
	assert.equal(errorOf('{"kind":"benchgate-raw","context":null}').remedy, other);
});

test('a wrong shape names the JSON path and the allowed values', () => {
	const wrong = errorOf(changed(['rounds', 1, 'cells', 0, 'windows', 0, 'base', 'completed'], -1));
	assert.equal(wrong.code, 'raw-shape');
	assert.equal(wrong.where, 'raw.json: /rounds/1/cells/0/windows/0/base/completed');
	const allowed = errorOf(changed(['plan', 'design'], 'fast'));
	assert.equal(allowed.where, 'raw.json: /plan/design');
	assert.match(allowed.message, /\["duet","alternating","sequential"\]/);
	assert.match(errorOf(changed(['refused'], undefined)).message, /must have required property 'refused'/);
});

test('a cell whose servers share a database reads back as such', () => {
	const cells = RAW.plan.cells.map((cell) => ({ ...cell, sharesWork: true as const }));
	const [read] = parseRaw(renderRaw({ ...RAW, plan: { ...RAW.plan, cells } })).plan.cells;
	assert.equal(read?.sharesWork, true);
});
