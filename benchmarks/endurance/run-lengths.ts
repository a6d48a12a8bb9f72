/** Estimates how long a run takes, to draw the time of its fault. */
import type { IsolationLevel } from '../../src/types/isolation.ts';
import type { Head } from '../../test/support/act/tiny-framework.ts';
import type { ProgramName } from './programs.ts';

/** Runs of similar duration. */
export interface RunKind {
	readonly program: ProgramName;
	readonly level: IsolationLevel;
	readonly head: Head;
}

/** Durations of these heads on a quiet machine; other heads use the whole budget. */
const GUESSED_MS: Partial<Readonly<Record<Head, number>>> = { unbuildable: 1_500, crashing: 2_500, broken: 2_500 };
const OTHERS_MS = 4_000;

/** Durations observed so far. */
export class RunLengths {
	readonly #seen = new Map<string, number>();

	/** Returns milliseconds: of the last informative run of this kind, else of this head, else a guess. */
	expect(kind: RunKind): number {
		const [own, ofHead] = namesOf(kind).map((name) => this.#seen.get(name));
		return own ?? ofHead ?? GUESSED_MS[kind.head] ?? OTHERS_MS;
	}

	/**
	 * A run that no fault struck shows the duration of its kind. One that a fault struck does so only if it took longer
	 * than expected.
	 */
	learn(kind: RunKind, ms: number, struck: boolean): void {
		if (struck && ms <= this.expect(kind)) return;
		for (const name of namesOf(kind)) this.#seen.set(name, ms);
	}
}

function namesOf({ program, level, head }: RunKind): readonly [string, string] {
	return [`${program} ${level} ${head}`, head];
}
