import { plainText } from '../text/escape.ts';
import { EXPLANATION_SCHEMA_VERSION, type ExplainedRow, type Explanation } from '../types/explain.ts';
import { BOUND_EXPLANATION, EXPLANATION_LIMITS } from './explanation-schema.ts';
import { validate } from './explanation-validator.ts';
import { fitToSchema } from './fit-to-schema.ts';
import { findExcess, findOddity } from './json-scan.ts';

const QUOTE_LIMIT = 120;

/** Returns JSON within the limits: cuts texts and lists, and leaves out the figures of a row that is still too large. */
export function renderExplanation(explanation: Explanation): string {
	const fitted = fitToSchema(explanation, BOUND_EXPLANATION, BOUND_EXPLANATION) as Explanation;
	return `${JSON.stringify({ ...fitted, rows: fitted.rows.map(fitRow) }, null, 2)}\n`;
}

function fitRow(row: ExplainedRow): ExplainedRow {
	if (sizeOf(row) <= EXPLANATION_LIMITS.rowBytes) return row;
	return {
		...row,
		counts: null,
		proof: null,
		profile: null,
		notes: ['The figures of this row had more than 5 MB, so they are left out.'],
	};
}

function sizeOf(row: ExplainedRow): number {
	return new TextEncoder().encode(JSON.stringify(row)).length;
}

/** Returns an untrusted explanation, or why it is invalid. All its texts stay hostile. Never throws. */
export function readExplanation(text: string): { readonly explanation: Explanation } | { readonly why: string } {
	const excess = findExcess(text, EXPLANATION_LIMITS);
	if (excess !== null) return { why: excess };
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return { why: 'it is not JSON' };
	}
	const { kind, schemaVersion } = (value ?? {}) as Readonly<Record<string, unknown>>;
	if (kind !== 'benchgate-explanation') return { why: 'it does not hold an explanation' };
	if (schemaVersion !== EXPLANATION_SCHEMA_VERSION) return { why: 'it has another schema version' };
	const oddity = findOddity(value);
	if (oddity !== null) return { why: `a value ${oddity.what}` };
	if (!validate(value)) {
		const [error] = validate.errors ?? [];
		return { why: plainText(`${error?.instancePath || '/'} ${error?.message ?? 'is wrong'}`, QUOTE_LIMIT) };
	}
	if (value.rows.some((row) => sizeOf(row) > EXPLANATION_LIMITS.rowBytes)) {
		return { why: `a row has more than ${EXPLANATION_LIMITS.rowBytes} bytes` };
	}
	return { explanation: value };
}
