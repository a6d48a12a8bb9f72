import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { renderRaw } from '../../formats/raw/raw-file.ts';
import { renderJson } from '../../formats/result/result-file.ts';
import { chartData } from '../../judge/summarise.ts';
import { writeOutput } from '../../output/write-files.ts';
import { renderHtml } from '../../report/html/html.ts';
import type { Raw, Result } from '../../types/result.ts';
import { chartScript } from '../../version.ts';

/** Paths of what a run leaves on disk; null for what it did not come to. */
export interface ReportFiles {
	readonly folder: string;
	readonly markdown: string;
	readonly json: string | null;
	readonly html: string | null;
	readonly raw: string | null;
	readonly publication: string;
}

/** What goes into the files. */
export interface ReportTexts {
	readonly markdown: string;
	readonly publication: string;
	/** Null when nothing was compared. */
	readonly compared: { readonly raw: Raw; readonly result: Result } | null;
}

/** Writes everything a run came to into `folder` and returns the paths. Each file is written completely or not at all. */
export async function writeReportFiles(folder: string, texts: ReportTexts): Promise<ReportFiles> {
	await mkdir(folder, { recursive: true });
	const write = async (name: string, content: string): Promise<string> => {
		const path = join(folder, name);
		await writeOutput({ flag: 'report', path, content });
		return path;
	};
	const { compared } = texts;
	return {
		folder,
		markdown: await write('report.md', texts.markdown),
		publication: await write('publication.json', texts.publication),
		json: compared && (await write('result.json', renderJson(compared.result))),
		html: compared && (await write('report.html', renderHtml(compared.result, chartData(compared.raw), chartScript()))),
		raw: compared && (await write('raw.json', renderRaw(compared.raw))),
	};
}
