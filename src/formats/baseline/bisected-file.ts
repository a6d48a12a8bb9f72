import { BISECTED_SCHEMA, BISECTED_SCHEMA_VERSION, type Bisected } from '../../types/trend.ts';
import { orderKeys } from '../order-keys.ts';
import { validate } from './bisected-validator.ts';
import { readStored } from './read-stored.ts';

export type ReadBisected = { readonly bisected: Bisected } | { readonly why: string };

/** File of the artifact that the measuring job passes to the writing job. */
export const BISECTED_FILE = 'bisected.json';

export function renderBisected(bisected: Bisected): string {
	return `${JSON.stringify(orderKeys(bisected, BISECTED_SCHEMA, BISECTED_SCHEMA))}\n`;
}

/** Returns a bisect's result, or why the text is invalid. Never throws. */
export function readBisected(text: string): ReadBisected {
	const read = readStored<Bisected>(text, {
		kind: 'benchgate-bisected',
		version: BISECTED_SCHEMA_VERSION,
		otherwise: 'the file does not hold what a bisect found',
		validate,
	});
	return 'value' in read ? { bisected: read.value } : { why: read.why };
}
