/** What a finished series file must hold, so that no replay stumbles over it. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import {
	COUNT,
	listOf,
	mapOf,
	NUMBER,
	NUMBER_OR_NULL,
	objectOf,
	ref,
	TEXT,
} from '../src/formats/format-schema-parts.ts';
import { INJECTION_KINDS } from '../src/inject/injection.ts';
import { RAW_SCHEMA } from '../src/types/result.ts';
import { SERIES_VERSION, type Series } from './series.ts';

const { plan, rounds } = RAW_SCHEMA.properties as Record<string, object>;

const INJECTION = objectOf({ kind: { enum: Object.keys(INJECTION_KINDS) }, amount: NUMBER, every: COUNT });
const PAIR = { base: TEXT, head: TEXT };
const EFFECT = {
	type: 'object',
	discriminator: { propertyName: 'kind' },
	required: ['kind'],
	oneOf: [
		objectOf({ kind: { const: 'same' } }),
		objectOf({ kind: { const: 'injection' }, injection: INJECTION, base: INJECTION, drop: NUMBER_OR_NULL }, ['base']),
		objectOf({ kind: { const: 'revisions' }, ...PAIR }),
		objectOf({ kind: { const: 'servers' }, ...PAIR }),
	],
};

const SERIES_SCHEMA = {
	...objectOf({
		kind: { const: 'benchgate-series' },
		version: { const: SERIES_VERSION },
		id: TEXT,
		experiment: { enum: ['live', 'matrix', 'timing', 'designs', 'validity', 'together'] },
		effect: EFFECT,
		createdAt: TEXT,
		environment: ref('environment'),
		versions: objectOf({ base: mapOf(TEXT), head: mapOf(TEXT) }),
		plans: listOf(plan as object),
		rounds: rounds as object,
	}),
	$defs: RAW_SCHEMA.$defs,
};
/** Line 1 of a file is the header. */
const FIRST_ROUND_LINE = 2;

let validate: ValidateFunction<Series> | undefined;

/** Returns `series` when it has the shape of one; else throws an Error that says in which line what is wrong. */
export function checkSeries(series: Series): Series {
	validate ??= new Ajv2020({ allowUnionTypes: true, discriminator: true }).compile<Series>(SERIES_SCHEMA);
	if (validate(series)) return series;
	const [error] = validate.errors ?? [];
	const path = error?.instancePath ?? '';
	const [, round, rest = ''] = /^\/rounds\/(\d+)(.*)$/.exec(path) ?? [];
	const line = round === undefined ? 1 : Number(round) + FIRST_ROUND_LINE;
	throw new Error(`line ${line}: ${round === undefined ? path : rest} ${error?.message}`.replace(':  ', ': '));
}
