import { createRandom } from '../stats/random.ts';

const AUDIT_STREAM = 31;
const RUNS = 10;
const CELLS = 10;

/** Returns unaffected cells to measure anyway: in one run of ten, by its seed, a tenth of them, at least one. */
export function drawAudit(unaffected: readonly string[], seed: number): readonly string[] {
	const random = createRandom(seed, AUDIT_STREAM);
	if (random.next() >= 1 / RUNS) return [];
	return random.shuffle(unaffected).slice(0, Math.ceil(unaffected.length / CELLS));
}
