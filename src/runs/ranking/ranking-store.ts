/** Keeps measurements in memory, and in a folder from which the same command resumes. */
import { mkdir, open, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { parseMeasureLog, type RankingLog, renderLogLine, wholeLines } from '../../formats/ranking-log.ts';
import { differenceOf } from '../../rank/read-log.ts';
import { UserError } from '../../types/errors.ts';
import type { LogHeader, LogLine } from '../../types/ranking/ranking.ts';

/** Name in the folder of `--out`. */
export const LOG_FILE = 'measure.ndjson';

export interface RankingStore {
	log(): RankingLog;
	/** Resolves once the line is on disk. */
	append(line: LogLine): Promise<void>;
}

/** Returns null without a log. Throws UserError for a foreign file. */
export async function readMeasureLog(folder: string): Promise<RankingLog | null> {
	const path = join(folder, LOG_FILE);
	const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ENOENT') return null;
		throw unusable(path, error);
	});
	return text === null || wholeLines(text) === '' ? null : parseMeasureLog(text, path);
}

/**
 * Opens the store of a run, and resumes the log in the folder. Throws UserError for the log of a run with another load,
 * windows, reference or definitions.
 */
export async function openMeasureStore(folder: string | null, header: LogHeader): Promise<RankingStore> {
	if (folder === null) return keep({ header, lines: [] }, async () => {});
	const path = join(folder, LOG_FILE);
	try {
		await mkdir(folder, { recursive: true });
	} catch (error) {
		throw unusable(folder, error as Error);
	}
	const storedLog = await readMeasureLog(folder);
	if (storedLog === null) await replace(path, renderLogLine(header));
	else {
		checkSame(folder, storedLog.header, header);
		// A partial line would corrupt the next line.
		await truncate(path, Buffer.byteLength(wholeLines(await readFile(path, 'utf8'))));
	}
	return keep(storedLog ?? { header, lines: [] }, (text) => append(path, text));
}

function keep({ header, lines }: RankingLog, write: (text: string) => Promise<void>): RankingStore {
	const allLines = [...lines];
	return {
		log: () => ({ header, lines: allLines }),
		async append(line) {
			allLines.push(line);
			await write(renderLogLine(line));
		},
	};
}

function checkSame(folder: string, storedHeader: LogHeader, newHeader: LogHeader): void {
	const names = (header: LogHeader) => header.setup.scenarios.map(({ name }) => name).join(',');
	const difference =
		differenceOf(storedHeader.setup, newHeader.setup) ??
		(names(storedHeader) === names(newHeader) ? null : `it is of the scenarios ${names(storedHeader)}`) ??
		(storedHeader.seed === newHeader.seed ? null : `its seed is ${storedHeader.seed}`) ??
		(isSamePart(storedHeader, newHeader) ? null : `it is ${partOf(storedHeader)}`);
	if (difference === null) return;
	throw new UserError({
		code: 'other-run',
		where: `--out ${folder}`,
		message: `the folder holds another run: ${difference}`,
		remedy: 'repeat the command it was begun with, or choose another folder and join both with --merge',
	});
}

function isSamePart({ shard: storedShard }: LogHeader, { shard: newShard }: LogHeader): boolean {
	return storedShard?.shard === newShard?.shard && storedShard?.planHash === newShard?.planHash;
}

function partOf({ shard }: LogHeader): string {
	return shard === undefined ? 'no shard' : `shard ${shard.shard} of ${shard.servers.length}, or of another ranking`;
}

async function append(path: string, text: string): Promise<void> {
	const file = await open(path, 'a');
	try {
		await file.write(text);
		await file.datasync();
	} catch (error) {
		throw unusable(path, error as Error);
	} finally {
		await file.close();
	}
}

async function replace(path: string, text: string): Promise<void> {
	await truncate(path, 0).catch(() => {});
	await append(path, text);
}

function unusable(path: string, { message }: Error): UserError {
	return new UserError({
		code: 'unusable-folder',
		where: `--out ${path}`,
		message: `measurements cannot be kept there (${message})`,
		remedy: 'give a folder that can be written',
	});
}
