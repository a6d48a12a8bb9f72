import { renderRaw } from '../formats/raw/raw-file.ts';
import { writeOutput } from '../output/write-files.ts';
import type { Raw } from '../types/result.ts';
import type { Tools } from './measuring.ts';

/** Keeps finished rounds; a disk that is full now may have room at the end, so the run goes on. */
export async function keepPartial(
	raw: Raw,
	path: string | undefined,
	{ janitor, progress }: Pick<Tools, 'janitor' | 'progress'>,
): Promise<void> {
	if (path === undefined) return;
	try {
		await writeOutput({ flag: '--raw', path, content: renderRaw(raw), guard: janitor.guardDirectory });
	} catch (error) {
		progress.step(`${(error as Error).message} (the run goes on, and tries again after the next round)`);
	}
}
