import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { plainText } from '../../text/escape.ts';
import { BISECTED_SCHEMA_VERSION, type Bisected } from '../../types/trend.ts';
import * as part from '../format-schema-parts.ts';
import { orderKeys, type SchemaNode } from '../order-keys.ts';
import { MOMENT, NAME, NAMED_COMMIT, RUN, SHA } from './store-schema-parts.ts';

export type ReadBisected = { readonly bisected: Bisected } | { readonly why: string };

/** Name of the file, in the artifact that carries it from the job that measured to the one that writes. */
export const BISECTED_FILE = 'bisected.json';
const QUOTE_LIMIT = 120;

/** JSON Schema (2020-12) of what a bisect hands on. */
export const BISECTED_SCHEMA: SchemaNode = {
	$schema: 'https://json-schema.org/draft/2020-12/schema',
	title: 'benchgate bisected',
	...part.objectOf({
		schemaVersion: { const: BISECTED_SCHEMA_VERSION },
		kind: { const: 'benchgate-bisected' },
		tool: part.ref('tool'),
		createdAt: MOMENT,
		run: RUN,
		server: NAME,
		scenario: NAME,
		metric: part.METRIC,
		good: SHA,
		bad: SHA,
		step: part.NUMBER,
		named: NAMED_COMMIT,
	}),
	$defs: { tool: part.COMMON_DEFS.tool },
};

let validate: ValidateFunction<Bisected> | undefined;

/** Returns what a bisect found as one line of JSON ending in a line feed. */
export function renderBisected(bisected: Bisected): string {
	return `${JSON.stringify(orderKeys(bisected, BISECTED_SCHEMA, BISECTED_SCHEMA))}\n`;
}

/** Returns what a bisect found, or why the text says nothing of it. Never throws. */
export function readBisected(text: string): ReadBisected {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return { why: 'the file is no whole JSON' };
	}
	validate ??= new Ajv2020({ allowUnionTypes: true }).compile<Bisected>(BISECTED_SCHEMA);
	if (validate(value)) return { bisected: value };
	const [error] = validate.errors ?? [];
	return { why: plainText(`${error?.instancePath || '/'} ${error?.message ?? 'is wrong'}`, QUOTE_LIMIT) };
}
