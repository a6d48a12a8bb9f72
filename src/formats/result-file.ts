import type { Result } from '../types/result.ts';
import { RESULT_SCHEMA } from '../types/result.ts';
import { orderKeys } from './order-keys.ts';

/** Returns the result as JSON, two spaces, keys in the order of its schema, ending in a line feed. */
export function renderJson(result: Result): string {
	return `${JSON.stringify(orderKeys(result, RESULT_SCHEMA, RESULT_SCHEMA), null, 2)}\n`;
}
