import { SELFTEST_SCHEMA, type SelftestResult } from '../types/selftest.ts';
import { orderKeys } from './order-keys.ts';

export function renderSelftestJson(result: SelftestResult): string {
	return `${JSON.stringify(orderKeys(result, SELFTEST_SCHEMA, SELFTEST_SCHEMA), null, 2)}\n`;
}
