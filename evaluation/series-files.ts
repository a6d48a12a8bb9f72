/** Where series are kept. A series being measured is a plain journal, one line at a time; a finished one is compressed. */
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

/** A file that could not be read, and why. */
export interface Skipped {
	readonly file: string;
	readonly reason: string;
}

/** Returns whether the series `id` was measured to its end. */
export function isFinished(folder: string, id: string): boolean {
	return existsSync(join(folder, id + FINISHED));
}

/** Returns every finished series of `folder`, by name, and the files that cannot be read with the reason. */
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

/** Nobody is stopped while writing a finished file, so a line that is cut off is damage. */
function readFinished(text: string): Series {
	if (text !== '' && !text.endsWith('\n')) throw new Error('its last line is cut off');
	return checkSeries(parseSeries(text));
}

/** Returns the series of `folder` that are begun and not finished, by name, with their finished rounds. */
export async function readBegun(folder: string): Promise<readonly { readonly id: string; readonly rounds: number }[]> {
	const names = existsSync(folder) ? (await readdir(folder)).filter((name) => name.endsWith(JOURNAL)).sort() : [];
	const ids = names.map((name) => basename(name, JOURNAL));
	return Promise.all(ids.map(async (id) => ({ id, rounds: await countRounds(folder, id) })));
}

/** Returns how many finished rounds the journal of series `id` holds; 0 without one. */
export async function countRounds(folder: string, id: string): Promise<number> {
	const path = join(folder, id + JOURNAL);
	if (!existsSync(path)) return 0;
	return Math.max(0, (await readFile(path, 'utf8')).split('\n').length - 2);
}

/**
 * Returns when measuring the series `id` began, as `Date.now()` counts; null without a journal, or while its header does not tell:
 * it may have been cut off.
 */
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
	/** What is in it so far. */
	readonly series: Series;
	append(round: Round): Promise<void>;
	/** Turns the journal into a finished file, in one step. */
	finish(): Promise<void>;
}

/**
 * Opens the journal of `header.id`: the rounds an earlier, interrupted call has left are kept and so is its header; a line it was
 * stopped in goes. Throws an Error naming the file when there is something in it that cannot be read, or when its rounds were
 * measured by other plans, on another machine or with other packages.
 */
export async function openJournal(folder: string, header: SeriesHeader): Promise<Journal> {
	await mkdir(folder, { recursive: true });
	const path = join(folder, header.id + JOURNAL);
	const text = existsSync(path) ? await readFile(path, 'utf8') : '';
	// Whoever began it may have been stopped before the header was whole.
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

/** What makes rounds of one series incomparable with those of another, as one would say it; null when nothing does. */
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
