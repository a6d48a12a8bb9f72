/** The log of a ranking: one JSON value a line, on disk before the next turn begins. */
import { plainText } from '../text/escape.ts';
import { UserError } from '../types/errors.ts';
import { type LogHeader, type LogLine, RANKING_SCHEMA_VERSION } from '../types/ranking/ranking.ts';
import { validate } from './ranking-log-validator.ts';

export interface RankingLog {
	readonly header: LogHeader;
	readonly lines: readonly LogLine[];
}

export function renderLogLine(line: LogHeader | LogLine): string {
	return `${JSON.stringify(line)}\n`;
}

/** Returns `text` up to its last line feed, because a kill can leave an incomplete line. */
export function wholeLines(text: string): string {
	return text.slice(0, text.lastIndexOf('\n') + 1);
}

/**
 * Parses a log, without an incomplete last line. `where` is the file's name. Throws UserError with the number of the
 * first invalid line.
 */
export function parseMeasureLog(text: string, where: string): RankingLog {
	const lines = wholeLines(text)
		.split('\n')
		.slice(0, -1)
		.map((line, at) => parseLine(line, `${where}:${at + 1}`));
	const [header, ...others] = lines;
	if (header?.kind !== 'benchgate-measure-log') {
		throw badLog(where, 'it does not begin as a log of `benchgate measure`');
	}
	const logLines = others.filter((line): line is LogLine => line.kind !== 'benchgate-measure-log');
	if (logLines.length < others.length) throw badLog(where, 'it has a second beginning');
	return { header, lines: logLines };
}

function parseLine(line: string, where: string): LogHeader | LogLine {
	let value: unknown;
	try {
		value = JSON.parse(line);
	} catch (error) {
		throw badLog(where, plainText((error as Error).message, 160));
	}
	const { schemaVersion = RANKING_SCHEMA_VERSION } = (value ?? {}) as { readonly schemaVersion?: unknown };
	if (schemaVersion !== RANKING_SCHEMA_VERSION) {
		const versionText = plainText(String(JSON.stringify(schemaVersion)), 40);
		throw badLog(where, `its schema version is ${versionText}; this benchgate reads version ${RANKING_SCHEMA_VERSION}`);
	}
	if (validate(value)) return value;
	throw badLog(where, 'the line is not as benchgate writes it');
}

function badLog(where: string, what: string): UserError {
	return new UserError({
		code: 'measure-log',
		where,
		message: `the log of measurements cannot be read: ${what}`,
		remedy: 'give another folder with --out, or remove this one to measure anew',
	});
}
