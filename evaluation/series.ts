/** Stored data of the evaluation: one file of rounds for each series. */
import type { Injection } from '../src/inject/injection.ts';
import type { Design } from '../src/types/config.ts';
import type { Plan } from '../src/types/plan.ts';
import type { Environment } from '../src/types/result.ts';
import type { Round } from '../src/types/round.ts';
import type { Fraction } from '../src/types/units.ts';

export const SERIES_VERSION = 1;

/** The experiment of a series. */
export type Experiment = 'live' | 'matrix' | 'timing' | 'designs' | 'validity' | 'together';

/** The difference of head from base. */
export type Effect =
	| { readonly kind: 'same' }
	| InjectionEffect
	| { readonly kind: 'revisions'; readonly base: string; readonly head: string }
	| { readonly kind: 'servers'; readonly base: string; readonly head: string };

export interface InjectionEffect {
	readonly kind: 'injection';
	readonly injection: Injection;
	/** Injected into base, if anything. */
	readonly base?: Injection;
	/** The intended drop in throughput; null without one. */
	readonly drop: Fraction | null;
}

/** First line of a series file. */
export interface SeriesHeader {
	readonly kind: 'benchgate-series';
	readonly version: typeof SERIES_VERSION;
	/** Also the name of the file. */
	readonly id: string;
	readonly experiment: Experiment;
	readonly effect: Effect;
	/** Start of the series, ISO 8601. Moments of rounds and windows are seconds since then, also in later calls. */
	readonly createdAt: string;
	readonly environment: Environment;
	/** Installed packages of each side. */
	readonly versions: { readonly base: Versions; readonly head: Versions };
	/** One plan for each design, in the order of their turns. */
	readonly plans: readonly Plan[];
}

export type Versions = Readonly<Record<string, string>>;

export interface Series extends SeriesHeader {
	/** In order of measurement, all designs mixed. */
	readonly rounds: readonly Round[];
}

/** Returns the rounds of one design, in order. */
export function roundsOf(series: Series, design: Design): Round[] {
	return series.rounds.filter((round) => round.cells[0]?.design === design && round.purpose === 'main');
}
