import { explainProfile } from '../../explain/explain-profile.ts';
import { createIdentify } from '../../explain/profile-identity.ts';
import type { Tree } from '../../impact/trees.ts';
import type { CoveringLaboratory } from '../../measure/laboratory.ts';
import type { MeasuredProfiles } from '../../measure/probe/profile-round.ts';
import { hashName } from '../../plan/plan-round.ts';
import { monotonicSeconds } from '../../process/deadline.ts';
import { createRandom } from '../../stats/random.ts';
import type { Unseen } from '../../types/coverage.ts';
import { PROFILE_MODES, type Profile } from '../../types/explain/profile.ts';
import type { ExplainedRow } from '../../types/explain.ts';
import type { Cell } from '../../types/plan.ts';
import type { Seconds, Sides } from '../../types/units.ts';
import type { Open, RowToExplain } from './step.ts';

const N = 'natural';
const F = 'flat';
const ORDER = [N, F, F, N, N, F, F, N, F] as const;
const LONGEST: Seconds = 120;
const WINDOWS = 2;
const WINDOW_SECONDS: Seconds = 1;
const STREAM = 7;
const NOT_LOADED = 'A profile needs requests, and this row measures a process.';

/** Profiles both sides, and finds the functions that cost more. */
export async function profileRow(
	{ cell }: RowToExplain,
	{ pair, prepared, laboratory, trees }: Open,
	secondsLeft: () => Seconds,
): Promise<Partial<ExplainedRow>> {
	const scenario = pair.config.scenarios.find(({ name }) => name === cell.scenario);
	if (scenario === undefined || scenario.metrics !== undefined || scenario.inProcess) return { notes: [NOT_LOADED] };
	const rootOf = (side: 'base' | 'head') => {
		const { root, cwd = '' } = prepared.sides[side].servers[cell.server] ?? {};
		return `${root ?? cwd}/`;
	};
	const outcome = await profileCell(laboratory, cell, {
		...{ seed: pair.config.seed, roots: { base: rootOf('base'), head: rootOf('head') }, secondsLeft },
		trees: await trees(cell.server),
	});
	return typeof outcome === 'string' ? { notes: [outcome] } : { profile: outcome };
}

export interface ProfileSetting {
	readonly seed: number;
	readonly roots: Sides<string>;
	readonly trees: Sides<Tree>;
	readonly secondsLeft: () => Seconds;
}

/** Returns why if two minutes and the budget allow too few rounds. */
export async function profileCell(
	laboratory: Pick<CoveringLaboratory, 'profile'>,
	cell: Cell,
	{ seed, roots, trees, secondsLeft }: ProfileSetting,
): Promise<Profile | string> {
	const began = monotonicSeconds();
	const random = createRandom(seed, hashName(cell.id), STREAM);
	const measured: MeasuredProfiles[] = [];
	let longest = 0;
	let failure: Unseen | null = null;
	for (const mode of ORDER) {
		const startedAt = monotonicSeconds();
		const first = random.coin() ? 'base' : 'head';
		const outcome = await laboratory.profile(cell, { mode, first, windows: WINDOWS, windowSeconds: WINDOW_SECONDS });
		if ('kind' in outcome) {
			failure = outcome;
			break;
		}
		measured.push(outcome);
		longest = Math.max(longest, monotonicSeconds() - startedAt);
		if (Math.min(secondsLeft(), LONGEST - (monotonicSeconds() - began)) < longest) break;
	}
	const identify = createIdentify({
		base: { root: roots.base, tree: trees.base },
		head: { root: roots.head, tree: trees.head },
	});
	const explained = explainProfile(measured, identify);
	if (explained === null) return `No profile: ${failure?.detail ?? 'the budget allows fewer than two rounds'}.`;
	const [natural = 0, flat = 0] = PROFILE_MODES.map((kind) => measured.filter(({ mode }) => mode === kind).length);
	return {
		rounds: { natural, flat },
		plannedRounds: {
			natural: ORDER.filter((mode) => mode === N).length,
			flat: ORDER.filter((mode) => mode === F).length,
		},
		seconds: monotonicSeconds() - began,
		...explained,
		gaps: [...new Set([...measured.flatMap(({ gaps }) => gaps), ...(failure ? [failure.detail] : [])])],
	};
}
