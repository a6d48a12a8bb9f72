import type { Unseen } from '../../types/coverage.ts';
import type { CpuProfile, ProfiledRound, ProfileMode, SideProfile } from '../../types/explain/profile.ts';
import type { Cell, Warmup } from '../../types/plan.ts';
import type { WindowSide } from '../../types/round.ts';
import { otherSide, type Seconds, SIDES, type Side, type Sides } from '../../types/units.ts';
import { learnerOf } from '../answers/verify-scenario.ts';
import { orderTurn } from '../generator/order-turn.ts';
import type { Pair } from '../pair.ts';
import type { LaboratoryOptions } from '../turn-parts.ts';
import { type Probed, Refused, runProbed } from './run-probed.ts';

const WARMUP_PART = 0.5;
const AT_ONCE: Warmup = { requests: 0, leastSeconds: 0, mostSeconds: 0 };

export interface ProfileOrder {
	readonly mode: ProfileMode;
	/** Has the first window and the last (ABBA). */
	readonly first: Side;
	readonly windows: number;
	readonly windowSeconds: Seconds;
}

export interface MeasuredProfiles extends ProfiledRound {
	readonly gaps: readonly string[];
}

/** Loads one side of a fresh pair at a time. Returns why if a server fails. Throws the abort reason. */
export async function profileRound(
	options: LaboratoryOptions,
	cell: Cell,
	order: ProfileOrder,
): Promise<MeasuredProfiles | Unseen> {
	const { first, mode } = order;
	const profiles = mode;
	return await runProbed(options, cell, { side: first, profiles }, (one) =>
		runProbed(options, cell, { side: otherSide(first), profiles }, (other) =>
			profilePair(options, cell, order, first === 'base' ? { base: one, head: other } : { base: other, head: one }),
		),
	);
}

interface Window {
	readonly counts: WindowSide;
	readonly profiles: readonly CpuProfile[];
	readonly gaps: readonly string[];
}

async function profilePair(
	options: LaboratoryOptions,
	cell: Cell,
	{ mode, first, windows, windowSeconds }: ProfileOrder,
	pair: Sides<Probed>,
): Promise<MeasuredProfiles> {
	const sides = [first, otherSide(first)];
	for (const side of sides) await load(options, cell, pair[side], 'warm-up');
	const cut: Sides<Window[]> = { base: [], head: [] };
	for (let at = 0; at < windows; at++) {
		for (const side of at % 2 === 0 ? sides : sides.toReversed())
			cut[side].push(await profileWindow(options, cell, pair[side], windowSeconds));
	}
	const gaps = SIDES.flatMap((side) => cut[side].flatMap((window) => window.gaps.map((gap) => `${side}: ${gap}`)));
	return {
		mode,
		sides: { base: joinWindows(cut.base, 'base'), head: joinWindows(cut.head, 'head') },
		gaps: [...new Set(gaps)],
	};
}

async function profileWindow(
	options: LaboratoryOptions,
	cell: Cell,
	probed: Probed,
	seconds: Seconds,
): Promise<Window> {
	await probed.take();
	const counts = await load(options, cell, probed, seconds);
	const { reports, unseen } = await probed.take();
	if (counts === null) throw new Refused('no request was counted');
	return { counts, profiles: reports.flatMap((report) => (report?.profile ? [report.profile] : [])), gaps: unseen };
}

function joinWindows(windows: readonly Window[], side: Side): SideProfile {
	const cpuSeconds = windows.reduce((sum, { counts }) => sum + (counts.cpuSeconds ?? Number.NaN), 0);
	const answers = windows.reduce((sum, { counts }) => sum + counts.completed, 0);
	const profiles = windows.flatMap((window) => window.profiles);
	if (profiles.length === 0) throw new Refused(`${side} runs no Node 20.16 or later, and nothing else is profiled`);
	if (!(answers > 0 && cpuSeconds > 0)) throw new Refused(`the CPU time of ${side} is unknown`);
	return { cost: (cpuSeconds / answers) * 1e6, profiles };
}

async function load(
	options: LaboratoryOptions,
	cell: Cell,
	{ server, scenario, traffic, verified }: Probed,
	part: 'warm-up' | Seconds,
): Promise<WindowSide | null> {
	const { affinity, signal } = options.start;
	const timing = options.timing('duet');
	const { requests, leastSeconds, mostSeconds } = timing.firstWarmup;
	const isWarmup = part === 'warm-up';
	const warmup = isWarmup
		? { requests, leastSeconds, mostSeconds: Math.max(leastSeconds, WARMUP_PART * mostSeconds) }
		: AT_ONCE;
	const turn = { cell: cell.id, clientFirst: 'base', windowFirst: 'base', only: 'base' } as const;
	const order = {
		turn: isWarmup ? turn : { ...turn, soloFirst: 'base' as const },
		design: 'sequential',
		timing: { ...timing, firstWarmup: warmup, windows: 0, ...(!isWarmup && { soloSeconds: part }) },
		fresh: true,
		affinity,
		held: server.held,
		startedAt: options.startedAt,
	} as const;
	const learner = learnerOf({ base: server.origin, head: server.origin }, scenario, () => {});
	const { windows } = await options.generator.runTurn(
		orderTurn(scenario, traffic, verified, { base: server, head: server } as Pair, order),
		signal,
		() => {},
		learner,
	);
	return windows[0]?.base ?? null;
}
