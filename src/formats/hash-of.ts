import { createHash } from 'node:crypto';
import { orderKeys } from './order-keys.ts';

/** Returns the hexadecimal SHA-256 of a JSON value, regardless of key order. */
export function hashOf(value: unknown): string {
	return createHash('sha256')
		.update(JSON.stringify(orderKeys(value, undefined, {})))
		.digest('hex');
}
