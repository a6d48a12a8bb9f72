import type { RankingResult } from '../../types/ranking/ranking.ts';
import { toHtml } from '../document/html-writer.ts';
import { rankingDocument } from './ranking-document.ts';
import { CHART_STYLES } from './ranking-svg.ts';

const STYLES = `
${CHART_STYLES}
.cards { display: flex; flex-wrap: wrap; gap: 1rem; margin: 1.5rem 0; }
.card { background: var(--raised); border-radius: 10px; padding: .75rem 1.25rem; }
.card strong { display: block; font-size: 1.8rem; line-height: 1.2; }
.card p { margin: .25rem 0 0; }
ol.bars { list-style: none; margin: 0; padding: 0; }
ol.bars li { display: grid; grid-template-columns: minmax(0, 12rem) 1fr; gap: 0 1rem; align-items: center; padding: .2rem 0; }
ol.bars li > span { text-align: right; }
ol.bars .chart { grid-column: 1 / -1; height: 14px; margin: 0; }
.contents { columns: 14rem; }
td:has(> .places) { white-space: normal; }
tr:has(.places) td { vertical-align: top; }
.places { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
.scroll:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
`.trim();

/** Returns one self-contained HTML page with tables and inline charts, without script or network. */
export function renderRankingHtml(result: RankingResult): string {
	return toHtml(rankingDocument(result), { styles: STYLES });
}
