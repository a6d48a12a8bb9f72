import { RANKING_SCHEMA, type RankingResult } from '../types/ranking/ranking.ts';
import { RESULT_SCHEMA, type Result } from '../types/result.ts';
import type { SchemaNode } from '../types/schema.ts';
import { SELFTEST_SCHEMA, type SelftestResult } from '../types/selftest.ts';
import { orderKeys } from './order-keys.ts';

export function renderJson(result: Result): string {
	return write(result, RESULT_SCHEMA);
}

export function renderSelftestJson(result: SelftestResult): string {
	return write(result, SELFTEST_SCHEMA);
}

export function renderRankingJson(result: RankingResult): string {
	return write(result, RANKING_SCHEMA);
}

function write(document: object, schema: SchemaNode): string {
	return `${JSON.stringify(orderKeys(document, schema, schema), null, 2)}\n`;
}
