/** Proves the cause of a row's loss. */
import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import { type Piece, UNLIKELY } from '../../explain/proof-part.ts';
import { type Division, divide } from '../../explain/proof-pieces.ts';
import { nextMove, proofRule, widen } from '../../explain/proof-search.ts';
import { type LogEstimate, shareFrom } from '../../explain/proof-share.ts';
import { suspectsOf, weigh } from '../../explain/proof-suspects.ts';
import { summarise } from '../../judge/summarise.ts';
import { monotonicSeconds } from '../../process/deadline.ts';
import { changeOf, END_ERROR, signedLogOf } from '../../stats/estimate.ts';
import { MESSAGE_LIMIT, plainText } from '../../text/escape.ts';
import { formatChange, formatInterval } from '../../text/numbers.ts';
import type { BisectRule, BisectState } from '../../trend/bisect/bisect-state.ts';
import { costOf } from '../../trend/bisect/choose-probe.ts';
import type { Span } from '../../trend/bisect/next-step.ts';
import { isUserError } from '../../types/errors.ts';
import type { Carrier, Proof, ProofPiece, ProofStep, StepOutcome } from '../../types/explain/proof.ts';
import type { ExplainedRow } from '../../types/explain.ts';
import { isCounted } from '../../types/metric.ts';
import type { Cell } from '../../types/plan.ts';
import type { Prepared, Variants } from '../../types/prepared.ts';
import type { Seconds } from '../../types/units.ts';
import { isOfHead } from '../bisect/measure-commits.ts';
import { proofConfig, seedOf } from '../proof-config.ts';
import type { IsolatedPair } from '../verify-pair.ts';
import {
	type Measured,
	type MeasuredRow,
	measureProof,
	measureRow,
	measureVariant,
	type Setting,
} from './measure-variant.ts';
import type { Open, RowToExplain } from './step.ts';

/** Share of the loss that ends the search. */
const WHOLE = 0.9;
/** Least share that a carrier has for sure. */
const SEARCHED = 0.25;
const MOST_CARRIERS = 3;
const BETWEEN = 0.2;
/** Of a proof: two in which head is loaded too. */
const PROOF_ROUNDS = 6;
const LONGEST_PROOF: Seconds = 150;
const LONGEST_JUDGING: Seconds = 90;
const MOST_FAILURES = 2;

interface Target extends MeasuredRow {
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
		const suspects = sofar.counts === null ? [] : suspectsOf(sofar.counts);
		const weights = weigh(installedPieces(division.pieces, prepared, cell.server), suspects);
		const found = await prover.run(weights);
		return { ...judged, proof: { ...found, seconds: monotonicSeconds() - began } };
	} finally {
		await variants.remove();
	}
}

function fits(version: string, range: string): boolean {
	return validRange(range) === null || satisfies(version, range, { includePrerelease: true });
}

function installedPieces(pieces: readonly Piece[], { sides }: Prepared, server: string): readonly Piece[] {
	const [base, head] = [sides.base, sides.head].map(({ servers }) => servers[server]?.versions ?? {});
	return pieces.map((piece) => {
		const name = piece.package?.name;
		return name === undefined || base?.[name] !== head?.[name] ? piece : { ...piece, weight: UNLIKELY };
	});
}

type Judged = Pick<ExplainedRow, 'verdict' | 'metric' | 'change' | 'interval' | 'threshold'>;

/** For a row that nothing judged. */
async function judgeRow(cell: Cell, pair: IsolatedPair, prepared: Prepared, left: Seconds): Promise<Judged | null> {
	const metric = pair.config.gate.metrics.find((each) => !isCounted(each));
	if (metric === undefined) return null;
	const budgetSeconds = Math.min(LONGEST_JUDGING, left / 2);
	const raw = await measureRow(pair, prepared, { cell, metric }, pair.config, { budgetSeconds });
	const row = summarise(raw).cells.find((each) => each.metric === metric);
	if (row === undefined) return null;
	const { verdict, judgedBy, change, interval, threshold } = row;
	return { verdict, metric: judgedBy, change, interval, threshold };
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
		const rule = proofRule(centre);
		let failures = 0;
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
			const move = nextMove(state, rule, failures < MOST_FAILURES);
			if (move.kind === 'stuck') {
				const isBroken = state.proofs.some(({ d }) => d.length === 0);
				return isBroken
					? 'head does not run, or answers otherwise, without the likeliest pieces'
					: 'no piece stands out, and more rounds would hardly help';
			}
			const rounds = move.kind === 'probe' ? rule.rounds : PROOF_ROUNDS;
			if (this.#expected(state, rule, rounds) > this.#left()) return 'the time was spent';
			if (move.kind === 'probe') {
				const broken = state.broken.length;
				state = await this.#probe(state, move.applied, rule);
				failures = state.broken.length > broken ? failures + 1 : 0;
				continue;
			}
			failures = 0;
			const span = pieces.slice(move.span.before, move.span.after);
			if (span.some(isFixed)) return `the loss seems to be in ${span.find(isFixed)?.path}, which cannot be taken out`;
			const { before, after } = move.span;
			const isProbed = state.probes.some(({ commit }) => commit === after);
			const proven = await this.#prove(move.span, weights, isProbed);
			if (proven === 'proven') return null;
			state = { ...state, proofs: [...state.proofs, { before, after, ...proven }] };
		}
	}

	#expected(state: BisectState, rule: BisectRule, rounds: number): Seconds {
		return costOf(state, { ...rule, rounds })(state.count);
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
		const measured = await this.#measure(this.#isApplied(applied), config, null);
		const seconds = monotonicSeconds() - began;
		const out = pieces.filter((piece, at) => at >= applied || this.#out.has(piece));
		this.#note('search', out, measured, seconds);
		if (measured.kind === 'broken') return { ...state, broken: [...state.broken, ...this.#besideBroken(applied)] };
		if (measured.kind === 'same') {
			// No piece after it has any effect.
			if (measured.as === 'head') return { ...state, prior: state.prior.map((one, at) => (at < applied ? one : 0)) };
			return { ...state, same: [...state.same, applied] };
		}
		const measuring = measured.raw.timing.measuringSeconds;
		const probe = {
			commit: applied,
			d: measured.rounds.without,
			seconds: measuring,
			buildSeconds: seconds - measuring,
		};
		return { ...state, probes: [...state.probes, probe] };
	}

	/** Prefixes that end in the same file probably do not run either. */
	#besideBroken(applied: number): readonly number[] {
		const { pieces } = this.#division;
		const ends = (at: number) => pieces[at - 1]?.path === pieces[at]?.path;
		let [first, last] = [applied, applied];
		while (ends(first - 1) && ends(first)) first -= 1;
		while (ends(last + 1) && ends(last)) last += 1;
		return Array.from({ length: last - first + 1 }, (_, index) => first + index);
	}

	/** Returns no d if nothing could be taken out. `isProbed`: pieces after the span carry nothing. */
	async #prove(
		{ before, after }: Pick<Span, 'before' | 'after'>,
		weights: readonly number[],
		isProbed: boolean,
	): Promise<'proven' | { readonly d: readonly number[]; readonly outcome: 'refuted' | 'open' }> {
		const { pieces, conflicts, isFixed } = this.#division;
		const removable = { ...this.#division, pieces: pieces.filter((piece) => !isFixed(piece)) };
		const span = pieces.slice(before, after);
		const tail = pieces.slice(before);
		const known = this.#share();
		const least = known + (1 - known) * SEARCHED;
		for (const set of [...widen(removable, span), ...(isProbed ? [tail] : [])]) {
			const began = monotonicSeconds();
			const out = new Set([...this.#out, ...set]);
			if (out.size >= pieces.length) break;
			const isApplied = (piece: Piece) => !out.has(piece);
			if (conflicts(isApplied).length > 0) continue;
			const measured = await this.#measure(isApplied, { budgetSeconds: Math.min(LONGEST_PROOF, this.#left()) }, least);
			const seconds = monotonicSeconds() - began;
			const [first] = span;
			this.#note(
				'proof',
				[...(first ? [first] : []), ...pieces.filter((piece) => out.has(piece) && piece !== first)],
				measured,
				seconds,
			);
			if (measured.kind === 'rounds' && measured.rounds.head.length > 0) this.#noteHead(measured.rounds.head);
			if (measured.kind === 'broken') {
				if (this.#left() < seconds) break;
				continue;
			}
			const named = set === tail ? span : set;
			const ordered = [
				...heaviestFirst(pieces, span, weights),
				...heaviestFirst(
					pieces,
					named.filter((piece) => !span.includes(piece)),
					weights,
				),
			];
			const carrier = { pieces: ordered.map(shown), later: set.length - named.length };
			if (measured.kind === 'same') {
				if (measured.as === 'head') return { d: [0], outcome: 'refuted' };
				const share = 1 - known;
				this.#carriers.push({ ...carrier, share, shareInterval: { low: share, high: share }, without: null });
				return 'proven';
			}
			const { rounds } = measured;
			const step = rounds.without.map((value) => this.#remaining.centre - value);
			const found = shareFrom(rounds);
			if (found === null) return { d: step, outcome: 'open' };
			const { share, shareInterval, without } = found;
			if (!((shareInterval.low ?? 0) > least)) {
				const isBelow = shareInterval.high !== null && shareInterval.high < least;
				return { d: step, outcome: isBelow ? 'refuted' : 'open' };
			}
			const { metric } = this.#target;
			const ends = [changeOf(metric, without.low), changeOf(metric, without.high)];
			const interval = { low: Math.min(...ends), high: Math.max(...ends), confidence: 1 - 2 * END_ERROR };
			this.#carriers.push({
				...carrier,
				share: share - known,
				shareInterval: { low: less(shareInterval.low, known), high: less(shareInterval.high, known) },
				without: { change: changeOf(metric, without.centre), interval, rounds: rounds.without.length },
			});
			this.#out = out;
			this.#remaining = without;
			return 'proven';
		}
		return { d: [], outcome: 'open' };
	}

	/** `least`: share that a proof needs; null for a probe. */
	async #measure(isApplied: (piece: Piece) => boolean, setting: Setting, least: number | null): Promise<Measured> {
		const { cell, metric, loss } = this.#target;
		const files = this.#division.compose(isApplied);
		try {
			const variant = await this.#variants.prepare(cell.server, files);
			const same = this.#sameAs(variant);
			if (same !== null) return { kind: 'same', as: same };
			this.#number += 1;
			const proving = proofConfig(this.#pair.config, Math.abs(Math.expm1(loss.centre)), [metric]);
			const config = { ...proving, seed: seedOf(proving, this.#number * 13) };
			if (least === null) return await measureVariant(this.#pair, variant, this.#target, config, setting);
			const both = { variant, head: this.#prepared };
			return await measureProof(this.#pair, both, this.#target, { config, setting, least });
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

	#noteHead(d: readonly number[]): void {
		const change = changeOf(this.#target.metric, meanOf(d));
		const head = { kind: 'proof', without: 0, piece: null, outcome: 'slower', detail: null } as const;
		this.#steps.push({ ...head, change, rounds: d.length, seconds: 0 });
	}

	#note(kind: ProofStep['kind'], out: readonly Piece[], measured: Measured, seconds: Seconds): void {
		const [first] = out.filter((piece) => !this.#out.has(piece));
		const d = measured.kind === 'rounds' ? measured.rounds.without : [];
		const mean = meanOf(d);
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

function outcomeOf(measured: Measured, left: number): StepOutcome {
	if (measured.kind === 'broken') return measured.outcome;
	if (measured.kind === 'same') return 'same-code';
	if (Math.abs(left - 0.5) <= BETWEEN) return 'between';
	return left < 0.5 ? 'restored' : 'slower';
}

function meanOf(d: readonly number[]): number {
	return d.reduce((sum, value) => sum + value, 0) / Math.max(1, d.length);
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
