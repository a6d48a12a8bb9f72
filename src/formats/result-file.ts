import type { Result } from '../types/result.ts';
import { RESULT_SCHEMA } from '../types/result.ts';
import { orderKeys } from './order-keys.ts';

export function renderJson(result: Result): string {
	return `${JSON.stringify(orderKeys(result, RESULT_SCHEMA, RESULT_SCHEMA), null, 2)}\n`;
}
