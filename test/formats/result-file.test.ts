import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { renderJson } from '../../src/formats/json-files.ts';
import { RESULT_SCHEMA } from '../../src/types/result.ts';
import { assertGolden } from '../support/golden.ts';
import { RESULT_CASES, resultCase } from '../support/result-cases.ts';
import { strictly } from '../support/strict-schema.ts';

test('the JSON is as reviewed', () => {
	assertGolden('report/new-and-removed.json', renderJson(resultCase('new-and-removed')));
});

describe('JSON reads back as the result and matches the schema, with no key unknown to the schema', () => {
	const validate = new Ajv2020({ allowUnionTypes: true, allErrors: true }).compile(strictly(RESULT_SCHEMA));
	for (const [name, make] of Object.entries(RESULT_CASES)) {
		test(name, () => {
			const result = make();
			const read: unknown = JSON.parse(renderJson(result));
			assert.deepEqual(read, result);
			validate(read);
			assert.deepEqual(validate.errors, null);
		});
	}
});

test('the order of keys does not depend on how the result was assembled', () => {
	const result = resultCase('one-regressed');
	const turned = Object.fromEntries(Object.entries(result).reverse()) as unknown as typeof result;
	const cells = result.cells.map(
		(cell) => Object.fromEntries(Object.entries(cell).reverse()) as unknown as typeof cell,
	);
	assert.equal(renderJson({ ...turned, cells }), renderJson(result));
});
