import { parseRaw } from '../formats/raw/raw-file.ts';
import { exitCode } from '../judge/gate.ts';
import { summarise } from '../judge/summarise.ts';
import { readNamedFile } from '../runs/read-named-file.ts';
import { toolVersion } from '../version.ts';
import { type ReportFlags, writeReports } from './write-reports.ts';

export async function runJudgeCommand(file: string, flags: ReportFlags): Promise<number> {
	const text = readNamedFile(file, { remedy: 'name a file written by `benchgate compare --raw FILE`' });
	const raw = parseRaw(text, file, toolVersion());
	const result = summarise(raw);
	await writeReports(raw, result, flags);
	const code = exitCode(result.gate, result.onInconclusive);
	if (raw.ended === 'interrupted') process.stderr.write(tellOwnCode(code));
	return code;
}

/** The report repeats the run's own exit code, so this line is needed. */
function tellOwnCode(code: number): string {
	return `The exit code in the report is that of the interrupted run. \`benchgate judge\` ends with ${code}, according to the rounds there are.\n`;
}
