import { SELFTEST_SCHEMA, type SelftestResult } from '../types/selftest.ts';
import { orderKeys } from './order-keys.ts';

/** Returns a selftest as indented JSON, keys in schema order, ending in a line feed. */
export function renderSelftestJson(result: SelftestResult): string {
	return `${JSON.stringify(orderKeys(result, SELFTEST_SCHEMA, SELFTEST_SCHEMA), null, 2)}\n`;
}
