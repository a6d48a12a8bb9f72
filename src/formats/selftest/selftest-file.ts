import { orderKeys } from '../order-keys.ts';
import type { SelftestResult } from './selftest-result.ts';
import { SELFTEST_SCHEMA } from './selftest-schema.ts';

/** Returns a selftest as JSON, two spaces, keys in the order of its schema, ending in a line feed. */
export function renderSelftestJson(result: SelftestResult): string {
	return `${JSON.stringify(orderKeys(result, SELFTEST_SCHEMA, SELFTEST_SCHEMA), null, 2)}\n`;
}
