/** Explains rows after their verdicts, the worst first, until the budget is spent. */
import type { Tree } from '../../impact/trees.ts';
import { openBench } from '../../measure/bench.ts';
import type { CoveringLaboratory } from '../../measure/laboratory.ts';
import { timingFor } from '../../plan/timing.ts';
import { planTraffics } from '../../plan/traffic.ts';
import { monotonicSeconds } from '../../process/deadline.ts';
import { MESSAGE_LIMIT, plainText } from '../../text/escape.ts';
import type { Design } from '../../types/config.ts';
import { isUserError } from '../../types/errors.ts';
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
import { type Seconds, SIDES, type Sides } from '../../types/units.ts';
import { toolVersion } from '../../version.ts';
import { readTree } from '../cover-cells.ts';
import { guardBase, type IsolatedPair } from '../verify-pair.ts';
import { countRow } from './count-row.ts';
import { profileRow } from './profile-row.ts';
import { proveRow } from './prove-row.ts';
import type { Open, Step } from './step.ts';

/** In the order in which a row gets them. */
const STEPS: readonly Step[] = [
	{ kind: 'counts', leastSeconds: 5, run: countRow },
	{ kind: 'proof', leastSeconds: 40, run: proveRow },
	{ kind: 'profile', leastSeconds: 40, run: profileRow },
];

export interface AskedExplanation extends Omit<ExplainOptions, 'policy'> {
	readonly rows: readonly UnexplainedRow[];
	readonly cells: readonly Cell[];
	readonly reproduce: string;
}

/** Opens a bench for the pair and explains its rows. An interrupt or a failure ends it early; the rows say so. */
export async function explainRows(
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
		const trees = new Map<string, ReturnType<Open['trees']>>();
		await run({
			...{ pair, prepared, laboratory },
			trees(server) {
				const known = trees.get(server) ?? readTrees(prepared, server);
				trees.set(server, known);
				return known;
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
