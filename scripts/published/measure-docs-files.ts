import { Ajv2020 } from 'ajv/dist/2020.js';
import { renderRankingJson } from '../../src/formats/json-files.ts';
import { toMarkdown } from '../../src/report/document/markdown-writer.ts';
import { renderAutocannon } from '../../src/report/ranking/autocannon-report.ts';
import { rankingDocument } from '../../src/report/ranking/ranking-document.ts';
import { MEASURE_RENDERERS } from '../../src/report/render-formats.ts';
import { RANKING_SCHEMA, type RankingResult } from '../../src/types/ranking/ranking.ts';

/** A file made from a ranking. */
export interface MeasureDoc {
	/** Relative to the root of the repository. */
	readonly path: string;
	readonly text: string;
}

/** Parses the file of `benchgate measure --json`. Throws if it is no such result. */
export function readMeasureResult(text: string): RankingResult {
	const result: unknown = JSON.parse(text);
	const isResult = new Ajv2020({ allowUnionTypes: true }).compile<RankingResult>(RANKING_SCHEMA);
	if (!isResult(result)) throw new Error('that is no result of `benchgate measure --json`');
	return result;
}

/** Returns every file of the example of a ranking. Throws if the text is no result. */
export function measureDocs(resultText: string): readonly MeasureDoc[] {
	const result = readMeasureResult(resultText);
	return [
		{ path: 'docs/examples/measure.json', text: renderRankingJson(result) },
		{ path: 'docs/examples/measure.md', text: toMarkdown(rankingDocument(result)) },
		{ path: 'docs/examples/measure.html', text: MEASURE_RENDERERS.html(result) },
		{ path: 'docs/examples/autocannon.txt', text: renderAutocannon(result) },
	];
}
