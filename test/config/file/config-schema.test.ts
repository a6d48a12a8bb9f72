import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { CONFIG_SCHEMA, SCENARIO_SCHEMA } from '../../../src/config/file/config-schema.ts';
import type { JsonSchema } from '../../../src/config/file/config-schema-parts.ts';

test('the published schemas match the source', () => {
	const script = fileURLToPath(new URL('../../../scripts/schema.ts', import.meta.url));
	const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
	assert.equal(status, 0, stderr);
});

/** Every schema inside `schema`, itself included, with its place. */
function* walk(schema: JsonSchema, place: string): Generator<readonly [string, JsonSchema]> {
	yield [place, schema];
	for (const keyword of ['properties', 'additionalProperties', 'items', 'then', 'else', 'propertyNames']) {
		const inner = schema[keyword];
		if (typeof inner !== 'object' || inner === null) continue;
		const children = keyword === 'properties' ? Object.entries(inner) : [[keyword, inner] as const];
		for (const [name, child] of children) yield* walk(child as JsonSchema, `${place}.${name}`);
	}
}

const all = [...walk(CONFIG_SCHEMA, 'config'), ...walk(SCENARIO_SCHEMA, 'scenario')];

test('every constraint of the schema has a message with the allowed values', () => {
	const silent = all.filter(
		([, schema]) => ['type', 'pattern', 'enum'].some((key) => key in schema) && !schema.errorMessage,
	);
	assert.deepEqual(
		silent.map(([place]) => place),
		[],
	);
});

test('every key has a description for editors', () => {
	const keys = all.flatMap(([place, schema]) =>
		Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
			.filter(([, child]) => !child.description)
			.map(([key]) => `${place}.${key}`),
	);
	assert.deepEqual(keys, []);
});

test('examples and defaults are valid', () => {
	const ajv = new Ajv({ strict: false });
	const samples = all.flatMap(([place, schema]) =>
		[...((schema.examples as unknown[]) ?? []), ...('default' in schema ? [schema.default] : [])].map(
			(value) => [place, schema, value] as const,
		),
	);
	assert.ok(samples.length > 30);
	const { $schema: _, ...rest } = CONFIG_SCHEMA;
	assert.ok(ajv.validate(rest, {}));
	const wrong = samples.filter(([, schema, value]) => !ajv.validate({ ...schema }, value));
	assert.deepEqual(
		wrong.map(([place, , value]) => [place, value]),
		[],
	);
});
