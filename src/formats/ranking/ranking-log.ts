/** The log of a ranking: one JSON value a line, so that what was measured is on disk before the next turn begins. */
import { plainText } from '../../text/escape.ts';
import { UserError } from '../../types/errors.ts';
import { type LogHeader, type LogLine, RANKING_SCHEMA_VERSION } from '../../types/ranking/ranking.ts';
import { validate } from './ranking-log-validator.ts';

/** What a log says. */
export interface RankingLog {
	readonly header: LogHeader;
	readonly lines: readonly LogLine[];
}

/** Returns a line as it is appended, ending in a line feed. */
export function renderLogLine(line: LogHeader | LogLine): string {
	return `${JSON.stringify(line)}\n`;
}

/** Returns the part of `text` that ends in a line feed: what comes after was cut off by a kill while it was written. */
export function wholeLines(text: string): string {
	return text.slice(0, text.lastIndexOf('\n') + 1);
}

/**
 * Returns what a log says. A last line without its line feed is left out. Throws a UserError that names the line for anything
 * else that benchgate did not write. `where` is the file's name.
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
