/** Decodes bodies that may be compressed under load. */
import { isUtf8 } from 'node:buffer';
import { requestsOf, type Scenario } from '../../types/config.ts';
import { SIDES, type Side } from '../../types/units.ts';
import type { RequestReport, SampledAnswer, TurnReport, WatchedRow } from '../generator/messages.ts';
import { MAX_BODY } from '../generator/reading/body-keeper.ts';
import { asksForCompression, decode, isCompressing, NoAnswer } from './ask.ts';
import type { Known } from './check-loaded-answers.ts';

/** A body uncompressed at rest, as small ones are, may have grown. */
const PLAIN_OR_NOT = ['gzip', 'br', 'deflate'];

/**
 * Returns the report with decoded samples and watched rows. Drops samples of an unknown encoding, and too long ones.
 */
export async function readCompressed(scenario: Scenario, report: TurnReport, knownAnswers: Known): Promise<TurnReport> {
	if (!asksForCompression(scenario)) return report;
	const requests = requestsOf(scenario);
	const read = async (samples: readonly SampledAnswer[], index: number, side: Side) => {
		const mixRequest = requests[index];
		if (mixRequest === undefined || !isCompressing(mixRequest.request)) return samples;
		const { compressed, usual } = knownAnswers.mix?.[index] ?? knownAnswers;
		const encoding = compressed?.[side]?.encoding;
		const texts: SampledAnswer[] = [];
		for (const sample of samples) {
			if (sample.status === mixRequest.expect.status[0] && encoding === undefined) continue;
			const body = await readText(sample.body, encoding ?? '', sample.row !== undefined);
			if (body.length <= MAX_BODY || usual[side] !== null) texts.push({ ...sample, body: body.slice(0, MAX_BODY) });
		}
		return texts;
	};
	const readWatched = async (watched: readonly WatchedRow[], index: number, side: Side) => {
		const encoding = (knownAnswers.mix?.[index] ?? knownAnswers).compressed?.[side]?.encoding ?? '';
		const rows: WatchedRow[] = [];
		for (const row of watched) rows.push(row.encoded ? await readRow(row.row, row.encoded, encoding) : row);
		return rows;
	};
	const samples = { ...report.samples };
	const mix = report.mix && { ...report.mix };
	for (const side of SIDES) {
		samples[side] = await read(report.samples[side], 0, side);
		if (mix === undefined) continue;
		const requestsSeen: RequestReport[] = [];
		for (const [index, seen] of mix[side].entries()) {
			const watched = await readWatched(seen.watched, index, side);
			requestsSeen.push({ ...seen, samples: await read(seen.samples, index, side), watched });
		}
		mix[side] = requestsSeen;
	}
	return { ...report, samples, ...(mix && { mix }) };
}

async function readRow(row: number, encoded: readonly string[], encoding: string): Promise<WatchedRow> {
	const texts = new Set<string>();
	for (const body of encoded) texts.add((await readText(body, encoding, true)).slice(0, MAX_BODY));
	const [text, ...others] = texts;
	return { row, body: text === undefined || others.length > 0 ? null : text };
}

/**
 * Bodies that cannot be decoded (wrong or uncompressed answers) are read as they are. Other rows need not have the
 * first row's `encoding`.
 */
async function readText(body: string, encoding: string, isRow: boolean): Promise<string> {
	const bytes = Buffer.from(body, 'latin1');
	const statedEncodings = encoding === '' ? [] : [encoding];
	const others = (encoding === '' || isRow) && !isUtf8(bytes) ? PLAIN_OR_NOT : [];
	for (const each of [...statedEncodings, ...others]) {
		try {
			return textOf(await decode(bytes, each));
		} catch (error) {
			if (!(error instanceof NoAnswer)) throw error;
		}
	}
	return textOf(bytes);
}

function textOf(bytes: Buffer): string {
	return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}
