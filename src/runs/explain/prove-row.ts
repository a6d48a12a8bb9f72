/** Proves the cause of a row's loss. */
import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import type { Piece } from '../../explain/proof-part.ts';
import { type Division, divide } from '../../explain/proof-pieces.ts';
import { nextMove, proofRule, widen } from '../../explain/proof-search.ts';
import { type LogEstimate, shareOf } from '../../explain/proof-share.ts';
import { suspectsOf, weigh } from '../../explain/proof-suspects.ts';
import { summarise } from '../../judge/summarise.ts';
import { monotonicSeconds } from '../../process/deadline.ts';
import { changeOf, END_ERROR, estimateOf as estimateFrom, signedLogOf } from '../../stats/estimate.ts';
import { MESSAGE_LIMIT, plainText } from '../../text/escape.ts';
import { formatChange, formatInterval } from '../../text/numbers.ts';
import type { BisectRule, BisectState } from '../../trend/bisect/bisect-state.ts';
import { costOf } from '../../trend/bisect/choose-probe.ts';
import type { Span } from '../../trend/bisect/next-step.ts';
import type { Config } from '../../types/config.ts';
import { isUserError } from '../../types/errors.ts';
import type { Carrier, Proof, ProofPiece, ProofStep, StepOutcome } from '../../types/explain/proof.ts';
import type { ExplainedRow } from '../../types/explain.ts';
import { isCounted, type MetricName } from '../../types/metric.ts';
import type { Cell } from '../../types/plan.ts';
import type { Prepared, Variants } from '../../types/prepared.ts';
import type { CellResult, Raw } from '../../types/result.ts';
import { DIFFERENCES } from '../../types/round.ts';
import type { Seconds } from '../../types/units.ts';
import type { Decision } from '../../types/verdict.ts';
import { differencesOf, isOfHead } from '../bisect/measure-commits.ts';
import { proofConfig, seedOf } from '../proof-config.ts';
import { COMPARED } from '../run-comparison.ts';
import { measurePrepared, type PairKind, type PairOptions } from '../run-pair.ts';
import type { IsolatedPair } from '../verify-pair.ts';
import type { Open, RowToExplain } from './step.ts';

/** Share of the loss that ends the search. */
const WHOLE = 0.9;
/** Least share that a carrier has for sure. */
const SEARCHED = 0.25;
const MOST_CARRIERS = 3;
const BETWEEN = 0.2;
const PROOF_ROUNDS = 4;
const LONGEST_PROOF: Seconds = 150;
/** Half-width of the share at which a proof ends. */
const PRECISE_SHARE = 0.15;
const MOST_PROOF_ROUNDS = 40;
/** Of each end; they make an interval of 90 %. */
const END_ERRORS = { low: END_ERROR, high: END_ERROR };
const LONGEST_JUDGING: Seconds = 90;
const QUIET: IsolatedPair['progress'] = { step() {}, status() {} };

type Measured =
	| { readonly kind: 'rounds'; readonly raw: Raw; readonly d: readonly number[] }
	| { readonly kind: 'same'; readonly as: 'base' | 'head' }
	| { readonly kind: 'broken'; readonly outcome: 'not-built' | 'other-answers'; readonly reason: string };

interface Target {
	readonly cell: Cell;
	readonly metric: MetricName;
	readonly loss: LogEstimate;
}

/** Measures head without parts of the difference. Failures of variants are steps of the proof. */
export async function proveRow(
	{ row, cell, sofar }: RowToExplain,
	{ pair, prepared }: Open,
	secondsLeft: () => Seconds,
): Promise<Partial<ExplainedRow>> {
	if (row.metric !== null && isCounted(row.metric)) return {};
	const { variants } = prepared;
	if (variants === undefined) return { notes: ['Nothing was proven: a published package cannot be taken apart.'] };
	const files = await variants.changes();
	if (typeof files === 'string') return { notes: [`Nothing was proven: ${files}.`] };
	const began = monotonicSeconds();
	const judged = row.metric === null ? await judgeRow(cell, pair, prepared, secondsLeft()) : row;
	if (judged?.metric == null) return { notes: ['Nothing was proven: head could not be compared with base.'] };
	const { metric } = judged;
	const loss = estimateOf(judged);
	if (loss === null || mayBeZero(loss) || loss.centre > 0) {
		const change = `${formatChange(judged.change)} ${formatInterval(judged.interval)}`;
		return { ...judged, notes: [`Nothing was proven: head is not clearly slower (${change}).`] };
	}
	const division = divide(files, fits);
	const prover = new Prover(pair, variants, prepared, division, { cell, metric, loss }, secondsLeft);
	try {
		const weights = weigh(division.pieces, sofar.counts === null ? [] : suspectsOf(sofar.counts));
		const found = await prover.run(weights);
		return { ...judged, proof: { ...found, seconds: monotonicSeconds() - began } };
	} finally {
		await variants.remove();
	}
}

function fits(version: string, range: string): boolean {
	return validRange(range) === null || satisfies(version, range, { includePrerelease: true });
}

type Judged = Pick<ExplainedRow, 'verdict' | 'metric' | 'change' | 'interval' | 'threshold'>;

/** For a row that nothing judged. */
async function judgeRow(cell: Cell, pair: IsolatedPair, prepared: Prepared, left: Seconds): Promise<Judged | null> {
	const metric = pair.config.gate.metrics.find((each) => !isCounted(each));
	if (metric === undefined) return null;
	const budgetSeconds = Math.min(LONGEST_JUDGING, left / 2);
	const options = optionsFor(pair, { cell, metric }, pair.config, { budgetSeconds });
	const raw = await measurePrepared(options, prepared, COMPARED, monotonicSeconds(), null);
	pair.signal.throwIfAborted();
	const row = summarise(raw).cells.find((each) => each.metric === metric);
	if (row === undefined) return null;
	const { verdict, judgedBy, change, interval, threshold } = row;
	return { verdict, metric: judgedBy, change, interval, threshold };
}

function optionsFor(
	{ sideConfigs: _0, mergeBase: _1, sameCode: _2, unaffected: _3, coverage: _4, covers: _6, ...pair }: IsolatedPair,
	{ cell, metric }: Pick<Target, 'cell' | 'metric'>,
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

interface Setting {
	readonly budgetSeconds: Seconds;
	readonly rounds?: number;
}

function estimateOf({ metric, change, interval }: Pick<Judged, 'metric' | 'change' | 'interval'>): LogEstimate | null {
	if (metric === null || change === null || interval?.low == null || interval.high == null) return null;
	const ends = [signedLogOf(metric, interval.low), signedLogOf(metric, interval.high)];
	return { centre: signedLogOf(metric, change), low: Math.min(...ends), high: Math.max(...ends) };
}

class Prover {
	readonly #pair: IsolatedPair;
	readonly #variants: Variants;
	readonly #prepared: Prepared;
	readonly #division: Division;
	readonly #target: Target;
	readonly #left: () => Seconds;
	readonly #steps: ProofStep[] = [];
	readonly #carriers: Carrier[] = [];
	/** Earlier carriers. */
	#out: ReadonlySet<Piece> = new Set();
	#remaining: LogEstimate;
	#number = 0;

	constructor(
		pair: IsolatedPair,
		variants: Variants,
		prepared: Prepared,
		division: Division,
		target: Target,
		left: () => Seconds,
	) {
		this.#pair = pair;
		this.#variants = variants;
		this.#prepared = prepared;
		this.#division = division;
		this.#target = target;
		this.#left = left;
		this.#remaining = target.loss;
	}

	async run(weights: readonly number[]): Promise<Omit<Proof, 'seconds'>> {
		const because = await this.#search(weights);
		const { pieces, notes } = this.#division;
		const upgrades = pieces.filter((piece) => piece.package !== null && piece.change === 'changed').length;
		return { pieces: pieces.length, upgrades, carriers: this.#carriers, because, steps: this.#steps, notes };
	}

	#share(): number {
		return this.#carriers.reduce((sum, { share }) => sum + share, 0);
	}

	/** Returns why it ended early; null if the whole loss was proven. */
	async #search(weights: readonly number[]): Promise<string | null> {
		const { pieces, isFixed } = this.#division;
		if (pieces.length === 0) return 'no file that a server may read differs';
		const [only] = pieces;
		if (only !== undefined && pieces.length === 1 && !isFixed(only)) {
			this.#carriers.push({
				pieces: [shown(only)],
				later: 0,
				share: 1,
				shareInterval: { low: 1, high: 1 },
				without: null,
			});
			return null;
		}
		let prior = weights;
		for (;;) {
			const ended = await this.#findOne(prior);
			if (ended !== null) return ended;
			const isWhole = (this.#carriers.at(-1)?.without ?? null) === null || this.#share() >= WHOLE;
			if (isWhole || mayBeZero(this.#remaining)) return null;
			if (this.#carriers.length >= MOST_CARRIERS) return 'the rest of the loss is spread over more pieces';
			prior = prior.map((weight, at) => (this.#out.has(pieces[at] as Piece) ? 0 : weight));
			if (prior.every((weight) => weight === 0)) return null;
		}
	}

	async #findOne(weights: readonly number[]): Promise<string | null> {
		const { pieces, isFixed } = this.#division;
		const { centre, low, high } = this.#remaining;
		const rule = proofRule(null);
		const broken = pieces.flatMap((_, at) => (this.#conflictsAt(at + 1) ? [at + 1] : []));
		let state: BisectState = {
			count: pieces.length,
			prior: weights,
			expected: { theta: centre, se: (high - low) / 4 },
			...{ probes: [], broken, same: [], proofs: [] },
		};
		for (;;) {
			this.#pair.signal.throwIfAborted();
			if (state.prior.every((weight) => weight === 0)) return 'no piece changes the program that is measured';
			const move = nextMove(state, rule);
			if (move.kind === 'stuck') return 'no piece stands out, and more rounds would hardly help';
			const rounds = move.kind === 'probe' ? rule.rounds : PROOF_ROUNDS;
			if (this.#expected(state, rule, rounds) > this.#left()) return 'the time was spent';
			if (move.kind === 'probe') {
				state = await this.#probe(state, move.applied, rule);
				continue;
			}
			const span = pieces.slice(move.span.before, move.span.after);
			if (span.some(isFixed)) return `the loss seems to be in ${span.find(isFixed)?.path}, which cannot be taken out`;
			const proven = await this.#prove(move.span, weights);
			if (proven === 'proven') return null;
			if (proven === 'broken') return 'head does not run, or answers otherwise, without the likeliest pieces';
			const { before, after } = move.span;
			state = { ...state, proofs: [...state.proofs, { before, after, ...proven }] };
		}
	}

	#expected(state: BisectState, rule: BisectRule, rounds: number): Seconds {
		return (costOf(state, rule)(state.count) / rule.rounds) * rounds;
	}

	#isApplied(applied: number): (piece: Piece) => boolean {
		const kept = new Set(this.#division.pieces.slice(0, applied).filter((piece) => !this.#out.has(piece)));
		return (piece) => kept.has(piece);
	}

	#conflictsAt(applied: number): boolean {
		const { pieces, conflicts } = this.#division;
		return applied < pieces.length && conflicts(this.#isApplied(applied)).length > 0;
	}

	async #probe(state: BisectState, applied: number, rule: BisectRule): Promise<BisectState> {
		const began = monotonicSeconds();
		const { pieces } = this.#division;
		const config = { rounds: rule.rounds, budgetSeconds: this.#left() };
		const measured = await this.#measure(this.#isApplied(applied), config);
		const seconds = monotonicSeconds() - began;
		const out = pieces.filter((piece, at) => at >= applied || this.#out.has(piece));
		this.#note('search', out, measured, seconds);
		if (measured.kind === 'broken') return { ...state, broken: [...state.broken, applied] };
		if (measured.kind === 'same') {
			// No piece after it has any effect.
			if (measured.as === 'head') return { ...state, prior: state.prior.map((one, at) => (at < applied ? one : 0)) };
			return { ...state, same: [...state.same, applied] };
		}
		const measuring = measured.raw.timing.measuringSeconds;
		const probe = { commit: applied, d: measured.d, seconds: measuring, buildSeconds: seconds - measuring };
		return { ...state, probes: [...state.probes, probe] };
	}

	async #prove(
		{ before, after }: Pick<Span, 'before' | 'after'>,
		weights: readonly number[],
	): Promise<'proven' | 'broken' | { readonly d: readonly number[]; readonly outcome: 'refuted' | 'open' }> {
		const { pieces, conflicts, isFixed } = this.#division;
		const { loss } = this.#target;
		const removable = pieces.filter((piece) => !isFixed(piece));
		const span = pieces.slice(before, after);
		// It ran already.
		const tail = pieces.slice(before);
		for (const set of [...widen(removable, span, conflicts), tail]) {
			const began = monotonicSeconds();
			const out = new Set([...this.#out, ...set]);
			if (out.size >= pieces.length) break;
			const isApplied = (piece: Piece) => !out.has(piece);
			if (conflicts(isApplied).length > 0) continue;
			const setting = { budgetSeconds: Math.min(LONGEST_PROOF, this.#left()) };
			const measured = await this.#measure(isApplied, setting, untilPrecise(this.#target, this.#share()));
			const seconds = monotonicSeconds() - began;
			this.#note(
				'proof',
				pieces.filter((piece) => out.has(piece)),
				measured,
				seconds,
			);
			if (measured.kind === 'broken') {
				if (this.#left() < seconds) break;
				continue;
			}
			const named = set === tail ? span : set;
			const later = set.length - named.length;
			const carrier = { pieces: heaviestFirst(pieces, named, weights).map(shown), later };
			if (measured.kind === 'same') {
				if (measured.as === 'head') return { d: [0], outcome: 'refuted' };
				const share = 1 - this.#share();
				this.#carriers.push({ ...carrier, share, shareInterval: { low: share, high: share }, without: null });
				return 'proven';
			}
			const step = measured.d.map((value) => this.#remaining.centre - value);
			const row = wordOf(measured, this.#target);
			const without = row && estimateOf(row);
			if (row === null || without === null) return { d: step, outcome: 'open' };
			const { share, shareInterval } = shareOf(loss, without);
			const known = this.#share();
			const least = known + (1 - known) * SEARCHED;
			if (!((shareInterval.low ?? 0) > least))
				return { d: step, outcome: isBelow(shareInterval, least) ? 'refuted' : 'open' };
			const added = {
				share: share - known,
				shareInterval: { low: less(shareInterval.low, known), high: less(shareInterval.high, known) },
			};
			const { change, interval, rounds } = row;
			const figures = change === null || interval === null ? null : { change, interval, rounds };
			this.#carriers.push({ ...carrier, ...added, without: figures });
			this.#out = out;
			this.#remaining = without;
			return 'proven';
		}
		return 'broken';
	}

	async #measure(isApplied: (piece: Piece) => boolean, setting: Setting, kind: Rule = COMPARED): Promise<Measured> {
		const { cell, metric } = this.#target;
		const files = this.#division.compose(isApplied);
		try {
			const prepared = await this.#variants.prepare(cell.server, files);
			const same = this.#sameAs(prepared);
			if (same !== null) return { kind: 'same', as: same };
			const raw = await measurePrepared(this.#options(setting), prepared, kind, monotonicSeconds(), null);
			this.#pair.signal.throwIfAborted();
			const d = differencesOf(raw, { cell: cell.id, metric });
			return d.length > 0 ? { kind: 'rounds', raw, d } : faultOf(raw);
		} catch (error) {
			this.#pair.signal.throwIfAborted();
			if (!isUserError(error) || !isOfHead(error)) throw error;
			return { kind: 'broken', outcome: 'not-built', reason: error.message };
		}
	}

	#sameAs({ sides: { head } }: Prepared): 'base' | 'head' | null {
		const { server } = this.#target.cell;
		const root = head.servers[server]?.root;
		if (root === undefined) return null;
		if (root === this.#prepared.sides.base.servers[server]?.root) return 'base';
		return root === this.#prepared.sides.head.servers[server]?.root ? 'head' : null;
	}

	#options(setting: Setting): PairOptions & IsolatedPair {
		const { metric, loss } = this.#target;
		const config = proofConfig(this.#pair.config, Math.abs(Math.expm1(loss.centre)), [metric]);
		this.#number += 1;
		return optionsFor(this.#pair, this.#target, { ...config, seed: seedOf(config, this.#number * 13) }, setting);
	}

	#note(kind: ProofStep['kind'], out: readonly Piece[], measured: Measured, seconds: Seconds): void {
		const [first] = out.filter((piece) => !this.#out.has(piece));
		const d = measured.kind === 'rounds' ? measured.d : [];
		const mean = d.reduce((sum, value) => sum + value, 0) / Math.max(1, d.length);
		const step: ProofStep = {
			kind,
			without: out.length,
			piece: first === undefined ? null : shown(first),
			outcome: outcomeOf(measured, mean / this.#target.loss.centre),
			detail: measured.kind === 'broken' ? plainText(measured.reason, MESSAGE_LIMIT) : null,
			change: d.length === 0 ? null : changeOf(this.#target.metric, mean),
			rounds: d.length,
			seconds,
		};
		this.#steps.push(step);
		this.#pair.progress.status(`Proving ${this.#target.cell.id}: step ${this.#steps.length}`);
	}
}

type Rule = Pick<PairKind<Decision, never>, 'rule'>;

/** A verdict comes too early for a narrow share. Alternating windows, once they begin, keep their own rule. */
function untilPrecise(target: Target, known: number): Rule {
	return {
		rule(plan, environment, whole) {
			const compared = COMPARED.rule(plan, environment, whole);
			return {
				...compared,
				mostRounds: MOST_PROOF_ROUNDS,
				decide(rounds, ended) {
					const decision = compared.decide(rounds, ended);
					const isOver = decision.confirm.length > 0 || decision.rows.some(({ verdict }) => verdict === 'invalid');
					if (isOver || rounds.some(({ purpose }) => purpose === 'confirm')) return decision;
					const d = differencesOf({ rounds, plan }, { cell: target.cell.id, metric: target.metric });
					const sofar = estimateFrom(target.metric, d, END_ERRORS);
					const without = d.length < PROOF_ROUNDS || sofar === null ? null : estimateOf(sofar);
					return { ...decision, undecided: without && isEnough(target, without, known) ? [] : [target.cell.id] };
				},
			};
		},
	};
}

function isEnough({ loss }: Target, without: LogEstimate, known: number): boolean {
	const { shareInterval } = shareOf(loss, without);
	const { low, high } = shareInterval;
	if (low === null || high === null) return false;
	return high - low <= 2 * PRECISE_SHARE || isBelow(shareInterval, known + (1 - known) * SEARCHED);
}

function isBelow({ high }: Carrier['shareInterval'], least: number): boolean {
	return high !== null && high < least;
}

type Word = Pick<CellResult, 'metric' | 'change' | 'interval' | 'rounds'>;

/** Returns what all fresh rounds say, or alternating windows if there were some. */
function wordOf({ raw, d }: Measured & { readonly kind: 'rounds' }, { metric }: Target): Word | null {
	if (!raw.rounds.some(({ purpose }) => purpose === 'confirm')) return estimateFrom(metric, d, END_ERRORS);
	const row = summarise(raw).cells.find((each) => each.metric === metric);
	return row ? { ...row, metric: row.judgedBy } : null;
}

function outcomeOf(measured: Measured, left: number): StepOutcome {
	if (measured.kind === 'broken') return measured.outcome;
	if (measured.kind === 'same') return 'same-code';
	if (Math.abs(left - 0.5) <= BETWEEN) return 'between';
	return left < 0.5 ? 'restored' : 'slower';
}

function less(end: number | null, by: number): number | null {
	return end === null ? null : end - by;
}

function mayBeZero({ low, high }: LogEstimate): boolean {
	return low <= 0 && high >= 0;
}

function shown({ path, line, lines, kind, change, package: upgraded }: Piece): ProofPiece {
	return { path, line, lines, kind, change, package: upgraded };
}

function heaviestFirst(pieces: readonly Piece[], set: readonly Piece[], weights: readonly number[]): readonly Piece[] {
	const weightOf = (piece: Piece) => weights[pieces.indexOf(piece)] ?? 0;
	return set.toSorted((one, other) => weightOf(other) - weightOf(one));
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
