import { BISECTED_SCHEMA, BISECTED_SCHEMA_VERSION, type Bisected } from '../../types/trend.ts';
import { orderKeys } from '../order-keys.ts';
import { validate } from './bisected-validator.ts';
import { readStored } from './read-stored.ts';

export type ReadBisected = { readonly bisected: Bisected } | { readonly why: string };

/** Name of the file, in the artifact that carries it from the job that measured to the one that writes. */
export const BISECTED_FILE = 'bisected.json';

/** Returns what a bisect found as one line of JSON ending in a line feed. */
export function renderBisected(bisected: Bisected): string {
	return `${JSON.stringify(orderKeys(bisected, BISECTED_SCHEMA, BISECTED_SCHEMA))}\n`;
}

/** Returns what a bisect found, or why the text says nothing of it. Never throws. */
export function readBisected(text: string): ReadBisected {
	const read = readStored<Bisected>(text, {
		kind: 'benchgate-bisected',
		version: BISECTED_SCHEMA_VERSION,
		otherwise: 'the file does not hold what a bisect found',
		validate,
	});
	return 'value' in read ? { bisected: read.value } : { why: read.why };
}
