import type { Result } from '../types/result.ts';
import { RESULT_SCHEMA } from '../types/result.ts';
import { orderKeys } from './order-keys.ts';

/** Returns a result as indented JSON, keys in schema order, ending in a line feed. */
export function renderJson(result: Result): string {
	return `${JSON.stringify(orderKeys(result, RESULT_SCHEMA, RESULT_SCHEMA), null, 2)}\n`;
}
