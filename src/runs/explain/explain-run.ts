/** Explains rows after their verdicts, the worst first, until the budget is spent. */
import { chooseRows } from '../../explain/choose-rows.ts';
import { compareCounts } from '../../explain/counts.ts';
import type { Tree } from '../../impact/trees.ts';
import { summarise } from '../../judge/summarise.ts';
import { openBench } from '../../measure/bench.ts';
import type { CoveringLaboratory } from '../../measure/laboratory.ts';
import { planCells } from '../../plan/plan-cells.ts';
import { timingFor } from '../../plan/timing.ts';
import { planTraffics } from '../../plan/traffic.ts';
import { prepareSides } from '../../prepare/prepare-sides.ts';
import { monotonicSeconds } from '../../process/deadline.ts';
import { MESSAGE_LIMIT, plainText } from '../../text/escape.ts';
import type { Design } from '../../types/config.ts';
import { isUserError } from '../../types/errors.ts';
import type { CountedRepeat, SideCount } from '../../types/explain/counts.ts';
import {
	EXPLANATION_SCHEMA_VERSION,
	type ExplainedRow,
	type ExplainOptions,
	type ExplainPolicy,
	type Explanation,
	type StepKind,
	type UnexplainedRow,
} from '../../types/explain.ts';
import type { Cell } from '../../types/plan.ts';
import type { Prepared } from '../../types/prepared.ts';
import type { Raw } from '../../types/result.ts';
import { type Seconds, SIDES, type Sides } from '../../types/units.ts';
import { toolVersion } from '../../version.ts';
import { failureOf, NOT_REQUESTED } from '../count-cells.ts';
import { readTree } from '../cover-cells.ts';
import { openSides } from '../open-sides.ts';
import { presenceOf, sharedServers } from '../present-servers.ts';
import { type AskedPair, guardBase, type IsolatedPair, prepareContextOf, withRuntimes } from '../verify-pair.ts';
import { profileRow } from './profile-row.ts';
import { proveRow } from './prove-row.ts';
import type { Open, RowToExplain, Step } from './step.ts';

/** Explains a finished run whose sides are still installed. Never throws; returns null if the policy is `never`. */
export async function explainRun(
	raw: Raw,
	pair: IsolatedPair,
	prepared: Prepared,
	{ policy, budgetSeconds, prove, profile }: ExplainOptions,
): Promise<Explanation | null> {
	if (policy === 'never') return null;
	const rows = chooseRows(summarise(raw), policy);
	const { reproduce } = raw.context;
	return explainRows(pair, prepared, { rows, cells: raw.plan.cells, budgetSeconds, prove, profile, reproduce });
}

/** Installs both sides and explains rows of a finished run, or else every row. Cleans up. */
export async function explainSides(
	options: AskedPair & { readonly reproduce: string },
	raw: Raw | null,
	{ policy, budgetSeconds, prove, profile }: ExplainOptions,
): Promise<Explanation> {
	await using isolation = await openSides(options);
	const pair = await withRuntimes({ ...options, isolation });
	const config = { ...options.config, servers: sharedServers(options) };
	const prepared = await prepareSides(config, options.revisions, prepareContextOf(pair));
	const { cells } = planCells(config, presenceOf(options, prepared));
	const rows = raw === null ? cells.map(unjudged) : chooseRows(summarise(raw), policy);
	return await explainRows(pair, prepared, {
		rows,
		cells,
		budgetSeconds,
		prove,
		profile,
		reproduce: options.reproduce,
	});
}

function unjudged({ server, scenario }: Cell): UnexplainedRow {
	return { server, scenario, verdict: null, metric: null, change: null, interval: null, threshold: null };
}

/** In the order in which a row gets them. */
const STEPS: readonly Step[] = [
	{ kind: 'counts', leastSeconds: 5, run: countRow },
	{ kind: 'proof', leastSeconds: 40, run: proveRow },
	{ kind: 'profile', leastSeconds: 40, run: profileRow },
];

interface AskedExplanation extends Omit<ExplainOptions, 'policy'> {
	readonly rows: readonly UnexplainedRow[];
	readonly cells: readonly Cell[];
	readonly reproduce: string;
}

/** Opens a bench for the pair and explains its rows. An interrupt or a failure ends it early; the rows say so. */
async function explainRows(
	pair: IsolatedPair,
	prepared: Prepared,
	{ rows, cells, budgetSeconds, prove, profile, reproduce }: AskedExplanation,
): Promise<Explanation> {
	const began = monotonicSeconds();
	const left = () => budgetSeconds - (monotonicSeconds() - began);
	const warnings: { readonly code: string; readonly message: string }[] = [];
	const stepsFor = (row: UnexplainedRow) =>
		stepsOf(row, { counts: 'always', proof: prove, profile }, rows.length === 1);
	const explained: ExplainedRow[] = rows.map((row) => ({
		...row,
		...NOTHING,
		unreached: stepsFor(row).map(({ kind }) => kind),
	}));
	const asked = rows.flatMap((row, at) => {
		const cell = cells.find(({ server, scenario }) => server === row.server && scenario === row.scenario);
		return cell ? [{ row, cell, at }] : [];
	});
	try {
		if (asked.length > 0) {
			await withOpen(pair, prepared, async (open) => {
				for (const [index, { row, cell, at }] of asked.entries()) {
					pair.progress.status(`Explaining ${cell.id} (${index + 1} of ${asked.length})`);
					const keep = (sofar: ExplainedRow) => {
						explained[at] = sofar;
					};
					const isForced = profile === 'always';
					await explainRow({ ...row, ...NOTHING }, cell, { steps: stepsFor(row), isForced, open, left, keep });
				}
			});
		}
	} catch (error) {
		// The verdict stands, so its report must not be lost.
		const why = pair.signal.aborted ? whyAborted(pair.signal) : messageOf(error);
		warnings.push({ code: 'explanation-ended', message: `The explanation ended early: ${why}.` });
	}
	return {
		schemaVersion: EXPLANATION_SCHEMA_VERSION,
		kind: 'benchgate-explanation',
		tool: { name: 'benchgate', version: toolVersion() },
		createdAt: new Date().toISOString(),
		seed: pair.config.seed,
		base: prepared.sides.base.info,
		head: prepared.sides.head.info,
		budgetSeconds,
		seconds: monotonicSeconds() - began,
		rows: explained,
		warnings,
		reproduce,
	};
}

const NOTHING = { counts: null, proof: null, profile: null, unreached: [], notes: [] } as const;

function stepsOf(
	{ verdict }: UnexplainedRow,
	policies: Readonly<Record<StepKind, ExplainPolicy>>,
	isAlone: boolean,
): readonly Step[] {
	const isRed = verdict === 'regressed' || (verdict === null && isAlone);
	return STEPS.filter(({ kind }) => {
		const policy = policies[kind];
		if (policy === 'auto') return isRed;
		return policy === 'always' && (kind !== 'proof' || verdict !== 'improved');
	});
}

function whyAborted({ reason }: AbortSignal): string {
	return reason instanceof Error && reason.name === 'TimeoutError' ? 'its time was over' : 'it was interrupted';
}

interface Explaining {
	readonly steps: readonly Step[];
	/** Profiles rows whose cause is proven, too. */
	readonly isForced: boolean;
	readonly open: Open;
	readonly left: () => Seconds;
	/** Called after every step. */
	readonly keep: (sofar: ExplainedRow) => void;
}

async function explainRow(row: ExplainedRow, cell: Cell, explaining: Explaining): Promise<void> {
	const { steps, isForced, open, left, keep } = explaining;
	const isNeeded = ({ kind }: Step, { proof }: ExplainedRow) =>
		kind !== 'profile' || isForced || (proof?.carriers ?? []).length === 0;
	let sofar = row;
	for (const [at, step] of steps.entries()) {
		const { kind, leastSeconds, run } = step;
		if (!isNeeded(step, sofar)) continue;
		if (left() < leastSeconds) {
			sofar = { ...sofar, unreached: [...sofar.unreached, kind] };
		} else {
			const { notes = [], ...found } = await run({ row: sofar, cell, sofar }, open, left);
			sofar = { ...sofar, ...found, notes: [...sofar.notes, ...notes] };
		}
		const later = steps.slice(at + 1).filter((each) => isNeeded(each, sofar));
		keep({ ...sofar, unreached: [...sofar.unreached, ...later.map((each) => each.kind)] });
	}
}

async function withOpen(pair: IsolatedPair, prepared: Prepared, run: (open: Open) => Promise<void>): Promise<void> {
	const { config, lanes } = pair;
	const bench = await openBench({ ...pair, limits: config, ...(lanes && { affinity: lanes.lanes[0] }) });
	try {
		const traffics = planTraffics(config.scenarios, config.seed);
		const timing = (design: Design) => timingFor({ ...config, design });
		const setup = { config, prepared, timing, traffic: ({ name }: { readonly name: string }) => traffics.get(name) };
		const laboratory: CoveringLaboratory = guardBase(bench.laboratory(setup), prepared);
		let last: { readonly server: string; readonly trees: ReturnType<Open['trees']> } | null = null;
		await run({
			...{ pair, prepared, laboratory },
			trees(server) {
				if (last?.server !== server) last = { server, trees: readTrees(prepared, server) };
				return last.trees;
			},
		});
	} finally {
		await bench.close();
	}
}

async function readTrees(prepared: Prepared, server: string): Promise<Sides<Tree>> {
	const [base = new Map(), head = new Map()] = await Promise.all(SIDES.map((side) => readTree(prepared, side, server)));
	return { base, head };
}

function messageOf(error: unknown): string {
	const text = isUserError(error) || error instanceof Error ? error.message : String(error);
	return plainText(text, MESSAGE_LIMIT).replace(/\.$/, '');
}

const FEWEST_REPEATS = 2;
const MOST_REPEATS = 3;

/** Counts the work of a request on both sides; a third time only where two repeats differ. */
export async function countRow(
	{ cell }: RowToExplain,
	{ pair, laboratory, trees }: Open,
	secondsLeft: () => Seconds,
): Promise<Partial<ExplainedRow>> {
	const scenario = pair.config.scenarios.find(({ name }) => name === cell.scenario);
	if (scenario === undefined || scenario.metrics !== undefined || scenario.inProcess) return { notes: [NOT_REQUESTED] };
	const repeats: CountedRepeat[] = [];
	for (;;) {
		repeats.push(await laboratory.count(cell));
		const failure = failureOf(repeats);
		if (failure !== null) return { notes: [`Nothing was counted: ${failure.detail}`] };
		const isSeen = repeats.some((repeat) => SIDES.some((side) => hasCounts(repeat[side])));
		if (isSeen && repeats.length < FEWEST_REPEATS && secondsLeft() > 0) continue;
		const counts = compareCounts(await trees(cell.server), repeats);
		const varies = [...counts.functions, ...counts.work].some((each) => each.varies);
		if (!varies || repeats.length === MOST_REPEATS || secondsLeft() <= 0) return { counts };
	}
}

/** Another runtime without a database has none, so a repeat would only cost time. */
function hasCounts({ scripts, work, peers }: SideCount): boolean {
	return scripts.length + Object.keys(work).length + peers.length > 0;
}
