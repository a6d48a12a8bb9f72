import { renderExplanation } from '../formats/explanation-file.ts';
import { renderJson, renderRankingJson, renderSelftestJson } from '../formats/json-files.ts';
import { renderRawPieces } from '../formats/raw/raw-file.ts';
import { chartData } from '../judge/summarise.ts';
import type { RankingResult } from '../types/ranking/ranking.ts';
import type { Raw, Result } from '../types/result.ts';
import type { SelftestResult } from '../types/selftest.ts';
import type { Audience } from './compare/audience.ts';
import { comparisonDocument, renderMarkdown } from './compare/comparison-document.ts';
import { renderCsv } from './compare/csv.ts';
import type { Document } from './document/document.ts';
import { toHtml } from './document/html-writer.ts';
import { toMarkdown } from './document/markdown-writer.ts';
import { type FlagFormat, forPages, type PageFormat, type RankingFormat, type SelftestFormat } from './formats.ts';
import { renderHtml } from './html/html.ts';
import { renderAutocannon } from './ranking/autocannon-report.ts';
import { rankingDocument } from './ranking/ranking-document.ts';
import { selftestDocument } from './selftest-document.ts';

export interface Compared {
	readonly raw: Raw;
	readonly result: Result;
	readonly chartScript: () => string;
	readonly audience?: Audience;
}

const WRITERS: Readonly<Record<PageFormat, (document: Document) => string>> = {
	markdown: (document) => toMarkdown(document),
	html: (document) => toHtml(document),
};

/** Returns the renderers of the files that every kind of report has. */
export function pageRenderers<Source>(
	build: (source: Source) => Document,
): Readonly<Record<PageFormat, (source: Source) => string>> {
	return forPages((name) => (source: Source) => WRITERS[name](build(source)));
}

/** A long text is returned in pieces; null without content. */
export const RENDERERS: Readonly<Record<FlagFormat, (compared: Compared) => string | Iterable<string> | null>> = {
	json: ({ result }) => renderJson(result),
	...pageRenderers(({ result, audience }: Compared) => comparisonDocument(result, audience)),
	markdown: ({ result, audience }) => renderMarkdown(result, audience),
	html: ({ result, raw, chartScript, audience }) => renderHtml(result, chartData(raw, result), chartScript(), audience),
	csv: ({ result }) => renderCsv(result),
	raw: ({ raw }) => renderRawPieces(raw),
	explanation: ({ audience }) => (audience?.explanation ? renderExplanation(audience.explanation) : null),
};

export const SELFTEST_RENDERERS: Readonly<Record<SelftestFormat, (result: SelftestResult) => string>> = {
	json: renderSelftestJson,
	...pageRenderers(selftestDocument),
};

export const MEASURE_RENDERERS: Readonly<Record<RankingFormat, (result: RankingResult) => string>> = {
	json: renderRankingJson,
	...pageRenderers(rankingDocument),
	autocannon: renderAutocannon,
};
