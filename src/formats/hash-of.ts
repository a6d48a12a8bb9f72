import { createHash } from 'node:crypto';
import { orderKeys } from './order-keys.ts';

/** Returns the SHA-256, in hexadecimal, of a value that JSON can write: the same whatever the order of its keys. */
export function hashOf(value: unknown): string {
	return createHash('sha256')
		.update(JSON.stringify(orderKeys(value, undefined, {})))
		.digest('hex');
}
