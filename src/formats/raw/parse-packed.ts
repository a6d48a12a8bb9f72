import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Raw } from '../../types/result.ts';
import type { Round } from '../../types/round.ts';
import { findExcess } from '../publication/publication-scan.ts';
import { packLatency, packRound } from './pack-latency.ts';
import { parseRaw } from './raw-file.ts';
import { findRawExcess, RAW_LIMITS } from './raw-limits.ts';
import { RAW_SCHEMA } from './raw-schema.ts';
import { splitRounds } from './split-rounds.ts';

interface Validators {
	readonly rest: ValidateFunction<Raw>;
	readonly round: ValidateFunction<Round>;
}

let validators: Validators | undefined;

/**
 * As `parseRaw`, with packed latencies (see `packLatency`), and one round in memory at a time: of a file of 5 MB all rounds at once
 * are 40 MB. What cannot be read like that is read as a whole, so that refusals are the same to the word.
 */
export function parsePackedRaw(text: string, where: string, version: string): Raw {
	return tryRounds(text) ?? packLatency(parseRaw(text, where, version));
}

function tryRounds(text: string): Raw | null {
	if (findExcess(text, RAW_LIMITS) !== null) return null;
	const split = splitRounds(text);
	if (split === null || split.rounds.length > RAW_LIMITS.rounds) return null;
	try {
		validators ??= compile();
		const { rest: isRest, round: isRound } = validators;
		const rest: unknown = JSON.parse(split.rest);
		if (!isRest(rest) || rest.rounds.length > 0) return null;
		const rounds: Round[] = [];
		for (const part of split.rounds) {
			const round: unknown = JSON.parse(part);
			if (!isRound(round)) return null;
			rounds.push(packRound(round));
		}
		const raw = { ...rest, rounds };
		return findRawExcess(raw) === null ? raw : null;
	} catch {
		return null;
	}
}

function compile(): Validators {
	const ajv = new Ajv2020({ allowUnionTypes: true });
	const round = { ...(RAW_SCHEMA.properties?.rounds?.items as object), $defs: RAW_SCHEMA.$defs };
	return { rest: ajv.compile<Raw>(RAW_SCHEMA), round: ajv.compile<Round>(round) };
}
