/** Storage of series. A series in progress is a plain journal, one line at a time; a finished one is compressed. */
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Round } from '../src/types/round.ts';
import type { Series, SeriesHeader } from './series.ts';
import { checkSeries } from './series-schema.ts';
import { headerLine, parseSeries, roundLine } from './series-text.ts';

const FINISHED = '.ndjson.gz';
const JOURNAL = '.journal.ndjson';

/** A file that could not be read, and the reason. */
export interface Skipped {
	readonly file: string;
	readonly reason: string;
}

/** Returns whether the series `id` is finished. */
export function isFinished(folder: string, id: string): boolean {
	return existsSync(join(folder, id + FINISHED));
}

/** Returns every finished series of `folder`, by name, and the unreadable files with the reason. */
export async function readAllSeries(folder: string): Promise<{ series: Series[]; skipped: Skipped[] }> {
	const series: Series[] = [];
	const skipped: Skipped[] = [];
	const names = existsSync(folder) ? await readdir(folder) : [];
	for (const file of names.filter((name) => name.endsWith(FINISHED)).sort()) {
		try {
			const read = readFinished(gunzipSync(await readFile(join(folder, file))).toString());
			if (read.id !== basename(file, FINISHED)) throw new Error(`it is a copy of the series ${read.id}`);
			series.push(read);
		} catch (error) {
			skipped.push({ file, reason: (error as Error).message });
		}
	}
	return { series, skipped };
}

/** A finished file is written in one step, so an incomplete line is damage. */
function readFinished(text: string): Series {
	if (text !== '' && !text.endsWith('\n')) throw new Error('its last line is cut off');
	return checkSeries(parseSeries(text));
}

/** Returns the unfinished series of `folder`, by name, with their number of complete rounds. */
export async function readBegun(folder: string): Promise<readonly { readonly id: string; readonly rounds: number }[]> {
	const names = existsSync(folder) ? (await readdir(folder)).filter((name) => name.endsWith(JOURNAL)).sort() : [];
	const ids = names.map((name) => basename(name, JOURNAL));
	return Promise.all(ids.map(async (id) => ({ id, rounds: await countRounds(folder, id) })));
}

/** Returns the number of complete rounds in the journal of series `id`; 0 without one. */
export async function countRounds(folder: string, id: string): Promise<number> {
	const path = join(folder, id + JOURNAL);
	if (!existsSync(path)) return 0;
	return Math.max(0, (await readFile(path, 'utf8')).split('\n').length - 2);
}

/** Returns the start of series `id`, as `Date.now()` counts; null without a journal or with an incomplete header. */
export async function readBeginning(folder: string, id: string): Promise<number | null> {
	const path = join(folder, id + JOURNAL);
	if (!existsSync(path)) return null;
	const [header, ...rest] = (await readFile(path, 'utf8')).split('\n', 2) as [string, ...string[]];
	if (rest.length === 0) return null;
	try {
		const began = Date.parse(parseSeries(`${header}\n`).createdAt);
		return Number.isNaN(began) ? null : began;
	} catch {
		return null;
	}
}

/** The journal of one series. */
export interface Journal {
	/** Its content so far. */
	readonly series: Series;
	append(round: Round): Promise<void>;
	/** Turns the journal into a finished file, in one step. */
	finish(): Promise<void>;
}

/**
 * Opens the journal of `header.id`: keeps the rounds and the header of an earlier, interrupted call, and removes an
 * incomplete last line. Throws an Error naming the file if something in it is unreadable, or if its rounds have other
 * plans, another machine or other packages.
 */
export async function openJournal(folder: string, header: SeriesHeader): Promise<Journal> {
	await mkdir(folder, { recursive: true });
	const path = join(folder, header.id + JOURNAL);
	const text = existsSync(path) ? await readFile(path, 'utf8') : '';
	// An interrupted call may have left an incomplete header.
	const whole = text.slice(0, text.lastIndexOf('\n') + 1) || `${headerLine(header)}\n`;
	const series = readJournal(path, whole);
	const changed = changedPart(series, header);
	if (changed) throw new Error(`${path}: it was begun with ${changed}; move it away to measure the series anew`);
	if (text.startsWith(whole)) await truncate(path, Buffer.byteLength(whole));
	else await writeFile(path, whole);
	return {
		series,
		append: (round) => appendFile(path, `${roundLine(round)}\n`),
		async finish() {
			await writeSeries(folder, parseSeries(await readFile(path, 'utf8')));
			await rm(path);
		},
	};
}

/** The difference that makes rounds of two headers incomparable, in words; null if there is none. */
function changedPart(begun: SeriesHeader, header: SeriesHeader): string | null {
	const now = JSON.parse(headerLine(header)) as SeriesHeader;
	if (!isDeepStrictEqual(begun.plans, now.plans) || !isDeepStrictEqual(begun.effect, now.effect)) return 'another plan';
	if (!isDeepStrictEqual(begun.versions, now.versions)) return 'other packages';
	if (begun.environment.node !== now.environment.node) return `Node ${begun.environment.node}`;
	return begun.environment.cpuModel === now.environment.cpuModel ? null : 'another machine';
}

function readJournal(path: string, text: string): Series {
	try {
		return parseSeries(text);
	} catch (error) {
		throw new Error(`${path}: ${(error as Error).message}; move it away to measure the series anew`, { cause: error });
	}
}

/** Writes a finished series, whole or not at all. */
export async function writeSeries(folder: string, series: Series): Promise<void> {
	const lines = [headerLine(series), ...series.rounds.map(roundLine)];
	const path = join(folder, series.id + FINISHED);
	await mkdir(folder, { recursive: true });
	await writeFile(`${path}.new`, gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
	await rename(`${path}.new`, path);
}
