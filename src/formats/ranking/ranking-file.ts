import { RANKING_SCHEMA, type RankingResult } from '../../types/ranking/ranking.ts';
import { orderKeys } from '../order-keys.ts';

export function renderRankingJson(result: RankingResult): string {
	return `${JSON.stringify(orderKeys(result, RANKING_SCHEMA, RANKING_SCHEMA), null, 2)}\n`;
}
