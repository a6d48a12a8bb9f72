import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeOutput } from '../../output/write-files.ts';
import { FORMAT_NAMES, FORMATS, type FormatName, type LastingFormat } from '../../report/formats.ts';
import { type Compared, RENDERERS } from '../../report/render-formats.ts';

/** Paths of what a run leaves on disk; a format it did not come to is not there. */
export type ReportFiles = Readonly<Partial<Record<FormatName, string>>>;

/** Texts of the formats that every run leaves, in the action's own words. */
export type LastingTexts = Readonly<Record<LastingFormat, string>>;

/**
 * Writes everything a run came to into `folder` and returns the paths. Each file is written completely or not at all.
 *
 * @param compared Null when nothing was compared.
 */
export async function writeReportFiles(
	folder: string,
	lasting: LastingTexts,
	compared: Compared | null,
): Promise<ReportFiles> {
	await mkdir(folder, { recursive: true });
	const files: Partial<Record<FormatName, string>> = {};
	for (const name of FORMAT_NAMES) {
		const content = isLasting(name) ? lasting[name] : compared && RENDERERS[name](compared);
		if (content === null) continue;
		const path = join(folder, FORMATS[name].file);
		await writeOutput({ flag: 'report', path, content });
		files[name] = path;
	}
	return files;
}

function isLasting(name: FormatName): name is LastingFormat {
	return FORMATS[name].always;
}
