import type { Raw } from '../../types/result.ts';
import type { Round, WindowSide } from '../../types/round.ts';
import { findExcess } from '../publication/publication-scan.ts';
import { type LiftedText, liftLatency } from './lift-latency.ts';
import { packLatency, packRound } from './pack-latency.ts';
import { parseRaw } from './raw-file.ts';
import { findCountExcess, findTurnExcess, RAW_LIMITS } from './raw-limits.ts';
import { validate as isRaw } from './raw-validator.ts';
import { validate as isRound } from './round-validator.ts';
import { splitRounds } from './split-rounds.ts';

/**
 * Like `parseRaw`, but with packed latencies and one round in memory at a time: a 5 MB file takes 40 MB. Irregular text
 * is parsed whole, for identical error messages.
 */
export function parsePackedRaw(text: string, where: string, version: string): Raw {
	return tryRounds(text) ?? packLatency(parseRaw(text, where, version));
}

function tryRounds(text: string): Raw | null {
	if (findExcess(text, RAW_LIMITS) !== null) return null;
	const split = splitRounds(text);
	if (split === null || split.rounds.length > RAW_LIMITS.rounds) return null;
	try {
		const rawFrame: unknown = JSON.parse(split.rest);
		if (!isRaw(rawFrame) || rawFrame.rounds.length > 0) return null;
		const rounds: Round[] = [];
		for (const part of split.rounds) {
			const round = readRound(part);
			if (round === null) return null;
			rounds.push(round);
		}
		const raw = { ...rawFrame, rounds };
		return findCountExcess(raw) === null ? raw : null;
	} catch {
		return null;
	}
}

/** Returns null for a round that is invalid or exceeds the limits. Throws for invalid JSON. */
function readRound(text: string): Round | null {
	const lifted = liftLatency(text);
	const round: unknown = JSON.parse(lifted?.rest ?? text);
	// Counting entries would unpack the histograms; `liftLatency` has already checked their limit.
	if (!isRound(round) || findTurnExcess(round.cells) !== null) return null;
	return lifted === null ? packRound(round) : packRound(round, (side) => placeOf(side, lifted));
}

function placeOf({ latency: [entry] }: WindowSide, { latencies }: LiftedText): Uint8Array {
	return latencies[entry?.[0] ?? -1] ?? new Uint8Array();
}
