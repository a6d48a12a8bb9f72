/** The schema of a finished series file, so that replays can rely on it. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { INJECTION_KINDS } from '../src/inject/injection.ts';
import { PLAN } from '../src/types/plan.ts';
import { ENVIRONMENT, RAW_SCHEMA } from '../src/types/result.ts';
import { ROUND } from '../src/types/round.ts';
import {
	COUNT,
	enumOf,
	kindsOf,
	limited,
	listOf,
	literal,
	mapOf,
	NUMBER,
	NUMBER_OR_NULL,
	objectOf,
	optional,
	ref,
	TEXT,
} from '../src/types/schema.ts';
import { sidesOf } from '../src/types/units.ts';
import { SERIES_VERSION, type Series } from './series.ts';

const INJECTION = objectOf({ kind: enumOf(Object.keys(INJECTION_KINDS)), amount: NUMBER, every: COUNT });
const PAIR = { base: TEXT, head: TEXT };
const EFFECT = kindsOf([
	objectOf({ kind: literal('same') }),
	objectOf({
		kind: literal('injection'),
		injection: INJECTION,
		base: optional(INJECTION),
		drop: NUMBER_OR_NULL,
	}),
	objectOf({ kind: literal('revisions'), ...PAIR }),
	objectOf({ kind: literal('servers'), ...PAIR }),
]);

const SERIES = objectOf({
	kind: literal('benchgate-series'),
	version: literal(SERIES_VERSION),
	id: TEXT,
	experiment: enumOf(['live', 'matrix', 'timing', 'designs', 'validity', 'together']),
	effect: EFFECT,
	createdAt: TEXT,
	environment: ref(ENVIRONMENT),
	versions: sidesOf(mapOf(TEXT)),
	plans: listOf(PLAN),
	rounds: listOf(ROUND),
});
const SERIES_SCHEMA = limited(SERIES, { $defs: RAW_SCHEMA.$defs });

/** Line 1 of a file is the header. */
const FIRST_ROUND_LINE = 2;

let validate: ValidateFunction<Series> | undefined;

/** Returns `series` if it has the right shape; else throws an Error with the line and the problem. */
export function checkSeries(series: Series): Series {
	validate ??= new Ajv2020({ allowUnionTypes: true, discriminator: true }).compile<Series>(SERIES_SCHEMA);
	if (validate(series)) return series;
	const [error] = validate.errors ?? [];
	const path = error?.instancePath ?? '';
	const [, round, rest = ''] = /^\/rounds\/(\d+)(.*)$/.exec(path) ?? [];
	const line = round === undefined ? 1 : Number(round) + FIRST_ROUND_LINE;
	throw new Error(`line ${line}: ${round === undefined ? path : rest} ${error?.message}`.replace(':  ', ': '));
}
