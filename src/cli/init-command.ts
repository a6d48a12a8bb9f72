import { writeInitialConfig } from '../init/write-initial-config.ts';

/** Writes a starter config into the current folder and says what to do next. */
export async function runInitCommand(): Promise<void> {
	const written = await writeInitialConfig(process.cwd());
	process.stdout.write(`${written}\n`);
}
