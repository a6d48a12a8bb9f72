/** The sampled answers that are kept of one request, so few that any number of them can come. */
import type { SampledAnswer } from './messages.ts';
import { MAX_BODY } from './reading/body-keeper.ts';

/** Distinct answers kept that have a right status, and as many of the others. */
const MAX_SAMPLES = 8;
/** Answers kept of those that found no room among the distinct ones. */
const MAX_OTHERS = 8;
/** Answers kept of a request that is filled from a data file: each may be another, and any of them the wrong one. */
const MAX_FILLED = 64;

/** A stream of answers, of which any is kept with the same chance. */
interface Reservoir {
	readonly kept: SampledAnswer[];
	readonly most: number;
	/** How many there were. */
	drawn: number;
}

/**
 * Samples of one request. Answers with a status that is not right never take the place of others, and what comes after many distinct
 * bodies counts as much as what came first: else a server could use up the room with a few answers, and then answer as it likes.
 */
export class KeptSamples {
	readonly #right = new Map<string, SampledAnswer>();
	readonly #unexpected = new Map<string, SampledAnswer>();
	readonly #others: Reservoir = { kept: [], most: MAX_OTHERS, drawn: 0 };
	readonly #filled: Reservoir = { kept: [], most: MAX_FILLED, drawn: 0 };

	/** Returns how many characters more are kept. */
	add(sample: SampledAnswer, isUnexpected: boolean): number {
		if (sample.row !== undefined && !isUnexpected) return keepAny(this.#filled, sample);
		const distinct = isUnexpected ? this.#unexpected : this.#right;
		const key = `${sample.status}\n${sample.body}`;
		const known = distinct.get(key);
		if (known === undefined && distinct.size >= MAX_SAMPLES) {
			// How many have a wrong status is counted elsewhere.
			return isUnexpected ? 0 : keepAny(this.#others, sample);
		}
		const body = known?.body ?? startOf(sample);
		distinct.set(key, { ...sample, body, count: (known?.count ?? 0) + sample.count });
		return known === undefined ? body.length : 0;
	}

	/** All that are kept. Those that stand for others as well have the count of these. */
	list(): SampledAnswer[] {
		const { kept, drawn } = this.#others;
		const others = kept.map((sample) => ({ ...sample, count: (sample.count * drawn) / kept.length }));
		return [...this.#right.values(), ...this.#unexpected.values(), ...others, ...this.#filled.kept];
	}
}

/**
 * Keeps any of a stream with the same chance (J. Vitter, Random sampling with a reservoir, 1985, algorithm R). Returns how many
 * characters more are kept.
 */
function keepAny(reservoir: Reservoir, sample: SampledAnswer): number {
	const { kept, most } = reservoir;
	reservoir.drawn++;
	const at = kept.length < most ? kept.length : Math.floor(Math.random() * reservoir.drawn);
	if (at >= most) return 0;
	const before = kept[at]?.body.length ?? 0;
	const body = startOf(sample);
	kept[at] = { ...sample, body };
	return body.length - before;
}

function startOf({ body }: SampledAnswer): string {
	return body.slice(0, MAX_BODY);
}
