import { Ajv2020 } from 'ajv/dist/2020.js';
import { renderMeasureJson } from '../../src/formats/measure/measure-file.ts';
import { MEASURE_SCHEMA } from '../../src/formats/measure/measure-schema.ts';
import { renderAutocannon } from '../../src/report/measure/classic/autocannon-report.ts';
import { renderMeasureHtml } from '../../src/report/measure/measure-html.ts';
import { renderMeasureMarkdown } from '../../src/report/measure/measure-markdown.ts';
import type { MeasureResult } from '../../src/types/ranking/measure.ts';
import { renderPublished } from './published-page.ts';
import type { PublishedPage } from './published-pages.ts';

/** A file that is made from a ranking. */
export interface MeasureDoc {
	/** Relative to the top of the repository. */
	readonly path: string;
	readonly text: string;
}

/**
 * Returns every file that is made from a result of `benchgate measure --json` and from the published figures. Throws when the result
 * is none.
 */
export function measureDocs(resultText: string, pagesText: string): readonly MeasureDoc[] {
	const result: unknown = JSON.parse(resultText);
	const isResult = new Ajv2020({ allowUnionTypes: true }).compile<MeasureResult>(MEASURE_SCHEMA);
	if (!isResult(result)) throw new Error('that is no result of `benchgate measure --json`');
	const { pages } = JSON.parse(pagesText) as { readonly pages: readonly PublishedPage[] };
	return [
		{ path: 'docs/examples/measure.json', text: renderMeasureJson(result) },
		{ path: 'docs/examples/measure.md', text: renderMeasureMarkdown(result) },
		{ path: 'docs/examples/measure.html', text: renderMeasureHtml(result) },
		{ path: 'docs/examples/autocannon.txt', text: renderAutocannon(result) },
		{ path: 'docs/published-ratios.md', text: renderPublished(pages, result) },
	];
}
