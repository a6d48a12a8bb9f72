import { EXPLANATION_SCHEMA, EXPLANATION_SCHEMA_VERSION, type Explanation } from '../types/explain.ts';
import { readStored } from './baseline/read-stored.ts';
import { validate } from './explanation-validator.ts';
import { orderKeys } from './order-keys.ts';

export function renderExplanation(explanation: Explanation): string {
	return `${JSON.stringify(orderKeys(explanation, EXPLANATION_SCHEMA, EXPLANATION_SCHEMA), null, 2)}\n`;
}

/** Returns an explanation, or why the text is invalid. Never throws. */
export function readExplanation(text: string): { readonly explanation: Explanation } | { readonly why: string } {
	const read = readStored<Explanation>(text, {
		kind: 'benchgate-explanation',
		version: EXPLANATION_SCHEMA_VERSION,
		otherwise: 'the file does not hold an explanation',
		validate,
	});
	return 'value' in read ? { explanation: read.value } : { why: read.why };
}
