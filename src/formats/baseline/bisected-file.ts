import { plainText } from '../../text/escape.ts';
import type { Bisected } from '../../types/trend.ts';
import { orderKeys } from '../order-keys.ts';
import { BISECTED_SCHEMA } from './bisected-schema.ts';
import { validate } from './bisected-validator.ts';

export type ReadBisected = { readonly bisected: Bisected } | { readonly why: string };

/** Name of the file, in the artifact that carries it from the job that measured to the one that writes. */
export const BISECTED_FILE = 'bisected.json';
const QUOTE_LIMIT = 120;

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
	if (validate(value)) return { bisected: value };
	const [error] = validate.errors ?? [];
	return { why: plainText(`${error?.instancePath || '/'} ${error?.message ?? 'is wrong'}`, QUOTE_LIMIT) };
}
