import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countOf } from '../src/text/numbers.ts';
import { UserError } from '../src/types/errors.ts';
import { computeResults } from './compute.ts';
import { bundleCharts } from './page/bundle.ts';
import { renderPage } from './page/html.ts';
import { renderReadme } from './page/markdown.ts';
import { renderResults } from './results-text.ts';
import { readAllSeries, readBegun, type Skipped } from './series-files.ts';

export interface WriteOptions {
	/** Folder of the series files. */
	readonly data: string;
	/** Folder of the results and pages. */
	readonly out: string;
	/** A line of progress. */
	readonly say: (text: string) => void;
}

/**
 * Computes results from every finished series and writes them and their pages; the same series give the same files.
 * Throws a UserError if no series can be read.
 */
export async function writeResults({ data, out, say }: WriteOptions): Promise<void> {
	const { series, skipped } = await readAllSeries(data);
	for (const { file, reason } of skipped) say(`skipped ${file}: ${reason}; move it away to measure it anew`);
	if (skipped.length > 0) say(`${skipped.length} of ${skipped.length + series.length} files cannot be read`);
	for (const { id, rounds } of await readBegun(data)) say(`not counted: ${id}, begun with ${countOf(rounds, 'round')}`);
	if (series.length === 0) throw nothingThere(data, skipped);
	const rounds = series.reduce((sum, one) => sum + one.rounds.length, 0);
	say(`replaying ${series.length} series with ${rounds} rounds`);
	const results = computeResults(series, skipped);
	const files = {
		'results.json': renderResults(results),
		'README.md': renderReadme(results),
		'index.html': renderPage(results, bundleCharts()),
	};
	await mkdir(out, { recursive: true });
	for (const [name, text] of Object.entries(files)) {
		const path = join(out, name);
		await writeFile(`${path}.new`, text);
		await rename(`${path}.new`, path);
		say(`wrote ${path}`);
	}
}

function nothingThere(folder: string, skipped: readonly Skipped[]): UserError {
	const unreadable =
		skipped.length > 0 ? `none of its ${skipped.length} series can be read` : 'it holds no finished series';
	return new UserError({
		code: 'no-series',
		where: folder,
		message: unreadable,
		remedy: 'measure with `npm run eval -- --collect`, or name another folder with --data',
		exitCode: 3,
	});
}
