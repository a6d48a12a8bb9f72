import { chartData } from '../judge/summarise.ts';
import { renderHtml } from '../report/html.ts';
import { renderJson } from '../report/json.ts';
import { renderMarkdown } from '../report/markdown.ts';
import { renderRaw } from '../report/raw.ts';
import { renderTerminal } from '../report/terminal.ts';
import { isUserError, UserError } from '../types/errors.ts';
import type { Raw, Result } from '../types/result.ts';
import { chartScript } from '../version.ts';
import { writeOutput } from './write-files.ts';

export interface ReportFlags {
	readonly json?: string;
	readonly markdown?: string;
	readonly html?: string;
	readonly raw?: string;
}

/** Width of the report where the terminal does not say. */
const DEFAULT_WIDTH = 100;

/** Prints the report on stdout and writes each file asked for; one that cannot be written does not stop the others. */
export async function writeReports(raw: Raw, result: Result, flags: ReportFlags): Promise<void> {
	const { stdout } = process;
	const colour = stdout.isTTY === true && process.env.NO_COLOR === undefined;
	stdout.write(`${renderTerminal(result, { colour, width: stdout.columns ?? DEFAULT_WIDTH })}\n`);
	const writes: Promise<void>[] = [];
	const write = (flag: string, path: string | undefined, render: () => string) => {
		if (path !== undefined) writes.push(writeOutput({ flag, path, content: render() }));
	};
	write('--raw', flags.raw, () => renderRaw(raw));
	write('--json', flags.json, () => renderJson(result));
	write('--markdown', flags.markdown, () => renderMarkdown(result));
	write('--html', flags.html, () => renderHtml(result, chartData(raw), chartScript()));
	const failures = (await Promise.allSettled(writes)).flatMap((outcome) =>
		outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
	);
	if (failures.length > 0) throw joinFailures(failures);
}

/** One error for all files that could not be written; a bug among them comes first. */
function joinFailures(failures: readonly unknown[]): unknown {
	const [first, ...others] = failures.filter(isUserError);
	if (first === undefined || others.length + 1 < failures.length) return failures.find((one) => !isUserError(one));
	if (others.length === 0) return first;
	const remedies = new Set([first, ...others].flatMap(({ remedy }) => remedy ?? []));
	return new UserError({
		code: first.code,
		message: [first, ...others].map(({ where, message }) => `${where}: ${message}`).join('\n'),
		remedy: [...remedies].join('; '),
		exitCode: first.exitCode,
		cause: first,
	});
}
