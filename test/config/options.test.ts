import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONFIG_SCHEMA } from '../../src/config/file/config-schema.ts';
import type { JsonSchema } from '../../src/config/file/config-schema-parts.ts';
import { FILE_OPTIONS, flagOf, OPTION_NAMES, optionOf } from '../../src/config/option-names.ts';

/** Keys of a config that are no options: what to load and how to build it. */
const NO_OPTIONS = [
	'prepare',
	'prepare-as',
	'harness',
	'reads',
	'servers',
	'scenarios',
	'gate.metrics',
	'gate.enforce-after',
	'gate.uncovered',
];

/** Every key of `benchgate.yml` down to the first non-mapping, with dots between levels. */
function keysOf({ properties = {} }: JsonSchema, above = ''): (readonly [string, JsonSchema])[] {
	return Object.entries(properties as Record<string, JsonSchema>).flatMap(([key, schema]) =>
		schema.properties === undefined ? [[above + key, schema] as const] : keysOf(schema, `${above}${key}.`),
	);
}

test('every key of the config is an option, except those about loading and building', () => {
	const keys = keysOf(CONFIG_SCHEMA).map(([key]) => key);
	const options = FILE_OPTIONS.map(([, { file }]) => file ?? '');
	assert.deepEqual(keys.toSorted(), [...options, ...NO_OPTIONS].toSorted());
});

test('the schema of the config has the defaults of the options', () => {
	const schemas = new Map(keysOf(CONFIG_SCHEMA));
	for (const [name, { file = '', uses }] of FILE_OPTIONS) {
		const shown = schemas.get(file)?.default;
		assert.equal(typeof shown === 'boolean' ? String(shown) : shown, uses.compare?.default, name);
	}
});

for (const name of OPTION_NAMES) {
	test(`${flagOf(name)}: defaults are allowed, and written unchanged`, () => {
		const { kind, uses } = optionOf(name);
		for (const { default: text, otherwise } of Object.values(uses)) {
			assert.ok(text === undefined || otherwise === undefined, 'a default is a text or words');
			if (text !== undefined) assert.equal(kind.write(kind.parse(text)), text);
		}
	});
}
