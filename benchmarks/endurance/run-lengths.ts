/** How long runs of a kind take, so that a fault can be drawn from within one. */
import type { IsolationLevel } from '../../src/types/isolation.ts';
import type { Head } from '../../test/support/act/tiny-framework.ts';
import type { ProgramName } from './programs.ts';

/** Runs that take about as long as each other. */
export interface RunKind {
	readonly program: ProgramName;
	readonly level: IsolationLevel;
	readonly head: Head;
}

/** What runs of a head take on a quiet machine; the others go on to the end of the budget. */
const GUESSED_MS: Partial<Readonly<Record<Head, number>>> = { unbuildable: 1_500, crashing: 2_500, broken: 2_500 };
const OTHERS_MS = 4_000;

/** What was seen of runs so far. */
export class RunLengths {
	readonly #seen = new Map<string, number>();

	/** Returns milliseconds: of the last run of this kind that told, else of this head, else a guess. */
	expect(kind: RunKind): number {
		const [own, ofHead] = namesOf(kind).map((name) => this.#seen.get(name));
		return own ?? ofHead ?? GUESSED_MS[kind.head] ?? OTHERS_MS;
	}

	/**
	 * A run that was not struck tells how long its kind takes. One that was struck and yet took longer than expected tells that the
	 * expectation was too short.
	 */
	learn(kind: RunKind, ms: number, struck: boolean): void {
		if (struck && ms <= this.expect(kind)) return;
		for (const name of namesOf(kind)) this.#seen.set(name, ms);
	}
}

function namesOf({ program, level, head }: RunKind): readonly [string, string] {
	return [`${program} ${level} ${head}`, head];
}
