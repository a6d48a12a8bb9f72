/** Measures head without pieces beside base. */
import { nextRound, type ProofRounds } from '../../explain/proof-share.ts';
import { monotonicSeconds } from '../../process/deadline.ts';
import type { Config } from '../../types/config.ts';
import type { StepOutcome } from '../../types/explain/proof.ts';
import type { MetricName } from '../../types/metric.ts';
import type { Cell } from '../../types/plan.ts';
import type { Prepared } from '../../types/prepared.ts';
import type { Raw } from '../../types/result.ts';
import { DIFFERENCES } from '../../types/round.ts';
import type { Seconds } from '../../types/units.ts';
import type { Decision } from '../../types/verdict.ts';
import { differencesOf } from '../bisect/measure-commits.ts';
import { COMPARED } from '../run-comparison.ts';
import { measurePrepared, type PairKind, type PairOptions } from '../run-pair.ts';
import type { IsolatedPair } from '../verify-pair.ts';

export interface MeasuredRow {
	readonly cell: Cell;
	readonly metric: MetricName;
}

export interface Setting {
	readonly budgetSeconds: Seconds;
	readonly rounds?: number;
}

export type Measured =
	| { readonly kind: 'rounds'; readonly raw: Raw; readonly rounds: ProofRounds }
	| { readonly kind: 'same'; readonly as: 'base' | 'head' }
	| {
			readonly kind: 'broken';
			readonly outcome: Extract<StepOutcome, 'not-built' | 'other-answers'>;
			readonly reason: string;
	  };

type Rule = Pick<PairKind<Decision, never>, 'rule'>;

/** A search needs no verdict, which alternating windows would confirm. */
const DUETS_ALONE: Rule = {
	rule(...asked) {
		const compared = COMPARED.rule(...asked);
		return { ...compared, decide: (...args) => ({ ...compared.decide(...args), confirm: [] }) };
	},
};
const MOST_PROOF_ROUNDS = 40;
/** Rounds after which a doubt leads to alternating windows. */
const DOUBTED_FROM = 2;
const QUIET: IsolatedPair['progress'] = { step() {}, status() {} };

export async function measureRow(
	pair: IsolatedPair,
	prepared: Prepared,
	row: MeasuredRow,
	config: Config,
	setting: Setting,
	rule: Rule = COMPARED,
): Promise<Raw> {
	const raw = await measurePrepared(optionsFor(pair, row, config, setting), prepared, rule, monotonicSeconds(), null);
	pair.signal.throwIfAborted();
	return raw;
}

export async function measureVariant(
	pair: IsolatedPair,
	variant: Prepared,
	row: MeasuredRow,
	config: Config,
	setting: Setting,
): Promise<Measured> {
	const raw = await measureRow(pair, variant, row, config, setting, DUETS_ALONE);
	const without = differencesOf(raw, { cell: row.cell.id, metric: row.metric });
	return without.length > 0 ? { kind: 'rounds', raw, rounds: { head: [], without } } : faultOf(raw);
}

/** Measures head too, in the same rounds, until the share is precise. */
export async function measureProof(
	pair: IsolatedPair,
	{ variant, head }: { readonly variant: Prepared; readonly head: Prepared },
	row: MeasuredRow,
	{ config, setting, least }: { readonly config: Config; readonly setting: Setting; readonly least: number },
): Promise<Measured> {
	const { cell, metric } = row;
	const twin = twinOf(cell);
	const options = optionsFor(pair, row, config, setting);
	const servers = options.config.servers.flatMap((server) => [server, { ...server, name: twin.server }]);
	const both = withTwin(variant, head, cell.server, twin.server);
	const read = (raw: Pick<Raw, 'rounds' | 'plan'>): ProofRounds => {
		const purpose = raw.rounds.some((round) => round.purpose === 'confirm') ? 'confirm' : 'main';
		const of = ({ id }: Pick<Cell, 'id'>) => differencesOf(raw, { cell: id, metric }, purpose);
		return { without: of(cell), head: of(twin) };
	};
	const rule: Rule = {
		rule(plan, environment, whole) {
			const compared = COMPARED.rule(plan, environment, whole);
			const ids = { without: cell.id, head: twin.id };
			return {
				...compared,
				mostRounds: MOST_PROOF_ROUNDS,
				decide(rounds, ended) {
					const decision = compared.decide(rounds, ended);
					if (decision.rows.some(({ verdict }) => verdict === 'invalid'))
						return { ...decision, undecided: [], confirm: [] };
					const sofar = read({ rounds, plan });
					const open = nextRound(sofar, least).map((kind) => ids[kind]);
					const isDoubted = decision.confirm.length > 0 && rounds.length >= DOUBTED_FROM;
					const inTurn = isDoubted || rounds.some(({ purpose }) => purpose === 'confirm');
					return { ...decision, undecided: inTurn ? [] : open, confirm: inTurn ? open : [] };
				},
			};
		},
	};
	const raw = await measurePrepared(
		{ ...options, config: { ...options.config, servers } },
		both,
		rule,
		monotonicSeconds(),
		null,
	);
	pair.signal.throwIfAborted();
	const rounds = read(raw);
	return rounds.without.length > 0 ? { kind: 'rounds', raw, rounds } : faultOf(raw);
}

function twinOf({ server, scenario }: Cell): Pick<Cell, 'id' | 'server'> {
	const name = `${server}~head`;
	return { id: `${name}/${scenario}`, server: name };
}

function withTwin(variant: Prepared, head: Prepared, server: string, twin: string): Prepared {
	const { base, head: changed } = variant.sides;
	const [ofBase, ofHead] = [base.servers[server], head.sides.head.servers[server]];
	if (ofBase === undefined || ofHead === undefined) return variant;
	return {
		...variant,
		sides: {
			base: { ...base, servers: { ...base.servers, [twin]: { ...ofBase, name: twin } } },
			head: { ...changed, servers: { ...changed.servers, [twin]: { ...ofHead, name: twin } } },
		},
	};
}

function optionsFor(
	{ sideConfigs: _0, mergeBase: _1, sameCode: _2, unaffected: _3, coverage: _4, covers: _6, ...pair }: IsolatedPair,
	{ cell, metric }: MeasuredRow,
	{ rounds: _5, ...config }: Config,
	setting: Setting,
): PairOptions & IsolatedPair {
	return {
		...pair,
		config: {
			...config,
			...setting,
			gate: { ...config.gate, metrics: [metric] },
			servers: config.servers.filter(({ name }) => name === cell.server),
			scenarios: config.scenarios.filter(({ name }) => name === cell.scenario),
		},
		progress: QUIET,
		reproduce: '',
		keep: async () => {},
	};
}

function faultOf({ refused, rounds }: Raw): Measured {
	const faults = [
		...refused.map(({ fault }) => fault),
		...rounds.flatMap(({ cells }) => cells.flatMap((one) => one.faults)),
	];
	const fault = faults.find(({ side }) => side !== 'base') ?? faults[0];
	const outcome = fault !== undefined && DIFFERENCES.includes(fault.code) ? 'other-answers' : 'not-built';
	return { kind: 'broken', outcome, reason: fault?.message ?? 'no round of it could be used' };
}
