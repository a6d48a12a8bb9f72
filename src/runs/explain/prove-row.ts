/** Proves the cause of a row's loss. */
import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import { type Piece, shownPiece, suspectsOf, UNLIKELY, weigh } from '../../explain/proof-part.ts';
import { type Division, divide } from '../../explain/proof-pieces.ts';
import { leadersOf, narrow, nextMove, PROOF_ROUNDS, proofRule, type Trial, widen } from '../../explain/proof-search.ts';
import { type LogEstimate, mayBeZero, type Share, shareFrom } from '../../explain/proof-share.ts';
import { summarise } from '../../judge/summarise.ts';
import { monotonicSeconds } from '../../process/deadline.ts';
import { changeOf, END_ERROR, signedLogOf } from '../../stats/estimate.ts';
import { MESSAGE_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, formatChange, formatInterval } from '../../text/numbers.ts';
import type { BisectRule, BisectState } from '../../trend/bisect/bisect-state.ts';
import { costOf } from '../../trend/bisect/choose-probe.ts';
import type { Span } from '../../trend/bisect/next-step.ts';
import { isUserError } from '../../types/errors.ts';
import type { Carrier, Proof, ProofStep, StepOutcome } from '../../types/explain/proof.ts';
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
/** Least part of a proven share for fewer pieces. */
const KEPT = 0.5;
/** Time of a probe and a proof, in proofs. */
const PROBED_TOO = 1.4;
const MOST_CARRIERS = 3;
const BETWEEN = 0.2;
const LONGEST_PROOF: Seconds = 150;
const LONGEST_JUDGING: Seconds = 90;
const MOST_FAILURES = 2;
const ALL = { share: 1, shareInterval: { low: 1, high: 1 }, without: null };

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
	const isOpen = row.verdict === 'inconclusive';
	const judged = row.metric === null || isOpen ? await judgeRow(cell, pair, prepared, secondsLeft()) : row;
	if (judged?.metric == null) return { notes: ['Nothing was proven: head could not be compared with base.'] };
	const { metric } = judged;
	// The row of a comparison keeps its own figures.
	const figures = isOpen ? {} : judged;
	const loss = estimateOf(judged);
	const change = `${formatChange(judged.change)} ${formatInterval(judged.interval)}`;
	if (loss === null || mayBeZero(loss) || loss.centre > 0)
		return { ...figures, notes: [`Nothing was proven: head is not clearly slower (${change}).`] };
	const notes = isOpen ? [`For the proof the row was measured again: ${change}.`] : [];
	const division = divide(files, fits);
	const prover = new Prover(pair, variants, prepared, division, { cell, metric, loss }, secondsLeft);
	try {
		const suspects = sofar.counts === null ? [] : suspectsOf(sofar.counts);
		const weights = weigh(installedPieces(division.pieces, prepared, cell.server), suspects);
		const found = await prover.run(weights);
		return { ...figures, notes, proof: { ...found, seconds: monotonicSeconds() - began } };
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

/** For a row without a verdict. */
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
	readonly #notes: string[] = [];
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
		return {
			pieces: pieces.length,
			upgrades,
			carriers: this.#carriers,
			because,
			steps: this.#steps,
			notes: [...notes, ...this.#notes],
		};
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
			this.#carryWhole([only]);
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
			const move = nextMove(state, rule, failures < MOST_FAILURES, this.#left());
			if (move.kind === 'stuck') {
				const failed = state.proofs.filter(({ d }) => d.length === 0);
				if (this.#concludeWhole(failed.flatMap(({ before, after }) => pieces.slice(before, after)))) return null;
				const needAll = ({ before, after }: Pick<Span, 'before' | 'after'>) =>
					this.#setsFor(pieces.slice(before, after)).length === 0;
				if (failed.length > 0 && failed.every(needAll))
					return `the ${countOf(pieces.length, 'part')} of the difference need each other, so none can be taken out alone`;
				return failed.length > 0
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
		const ends = (at: number) => pieces[at - 1]?.path === pieces[at]?.path && pieces[at]?.package === null;
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
		const { pieces, conflicts } = this.#division;
		const span = pieces.slice(before, after);
		const tail = pieces.slice(before);
		const known = this.#share();
		const least = known + (1 - known) * SEARCHED;
		for (const set of [...this.#setsFor(span), ...(isProbed ? [tail] : [])]) {
			const out = new Set([...this.#out, ...set]);
			if (out.size >= pieces.length) break;
			if (conflicts((piece) => !out.has(piece)).length > 0) continue;
			const began = monotonicSeconds();
			const measured = await this.#takeOut(set, span[0], least);
			const seconds = monotonicSeconds() - began;
			if (measured.kind === 'broken') {
				if (this.#left() < seconds) break;
				continue;
			}
			const shown = shownBy(measured);
			if (shown !== null && (shown.shareInterval.low ?? 0) > least) {
				const later = set === tail ? tail.filter((piece) => !span.includes(piece)) : [];
				const trials: Trial[] = later.length > 0 ? [{ out: later, outcome: 'carries-nothing' }] : [];
				await this.#narrow({ set, shown, seconds }, (piece) => weights[pieces.indexOf(piece)] ?? 0, trials);
				return 'proven';
			}
			if (measured.kind === 'same') return { d: [0], outcome: 'refuted' };
			const isBelow = shown?.shareInterval.high != null && shown.shareInterval.high < least;
			const d = measured.rounds.without.map((value) => this.#remaining.centre - value);
			return { d, outcome: isBelow ? 'refuted' : 'open' };
		}
		return { d: [], outcome: 'open' };
	}

	#setsFor(span: readonly Piece[]): ReturnType<typeof widen> {
		const { pieces, isFixed } = this.#division;
		return widen({ ...this.#division, pieces: pieces.filter((piece) => !isFixed(piece)) }, span);
	}

	/** Takes fewer pieces out while there is time, and names those that carry the loss. */
	async #narrow(
		whole: { readonly set: readonly Piece[]; readonly shown: Shown; readonly seconds: Seconds },
		weightOf: (piece: Piece) => number,
		known: readonly Trial[],
	): Promise<void> {
		const least = this.#share() + KEPT * (whole.shown.share - this.#share());
		const floor = whole.shown.without?.centre ?? 0;
		const loss = this.#remaining.centre - floor;
		const trials = [...known];
		for (;;) {
			const { out, isProof, suspects } = narrow(this.#division, whole.set, weightOf, trials);
			if (out === null) return this.#conclude(whole.set, suspects, weightOf, whole.shown);
			if (this.#left() < whole.seconds * (isProof ? 1 : PROBED_TOO)) {
				this.#notes.push(`The time was spent before fewer than ${countOf(whole.set.length, 'part')} could be proven.`);
				return this.#conclude(whole.set, suspects, weightOf, whole.shown);
			}
			const measured = await this.#takeOut(
				out,
				suspects.find((piece) => out.includes(piece)),
				isProof ? least : null,
			);
			const shown = isProof ? shownBy(measured) : null;
			if (shown !== null && (shown.shareInterval.low ?? 0) > least)
				return this.#conclude(out, suspects, weightOf, shown);
			trials.push({ out, outcome: trialOf(measured, isProof, (d) => (d - floor) / loss) });
		}
	}

	/** If no piece can go alone: head without all of them is base. */
	#concludeWhole(failed: readonly Piece[]): boolean {
		const likely = this.#division.pieces.filter(({ weight }) => weight > UNLIKELY);
		const isSmall = likely.length > 0 && likely.length <= MOST_CARRIERS && this.#out.size === 0;
		if (!isSmall || !likely.every((piece) => failed.includes(piece))) return false;
		this.#carryWhole(likely);
		return true;
	}

	#carryWhole(pieces: readonly Piece[]): void {
		this.#carriers.push({ pieces: pieces.map(shownPiece), companions: [], ...ALL });
	}

	/** Names the pieces with which all of `set` must go. */
	#conclude(
		set: readonly Piece[],
		suspects: readonly Piece[],
		weightOf: (piece: Piece) => number,
		{ share, shareInterval, without, rounds }: Shown,
	): void {
		const known = this.#share();
		const { metric } = this.#target;
		const leaders = leadersOf(this.#division, set, suspects, weightOf);
		const ends = without === null ? [] : [changeOf(metric, without.low), changeOf(metric, without.high)];
		const interval = { low: Math.min(...ends), high: Math.max(...ends), confidence: 1 - 2 * END_ERROR };
		this.#carriers.push({
			pieces: leaders.map(shownPiece),
			companions: set.filter((piece) => !leaders.includes(piece)).map(shownPiece),
			share: share - known,
			shareInterval: { low: less(shareInterval.low, known), high: less(shareInterval.high, known) },
			without: without === null ? null : { change: changeOf(metric, without.centre), interval, rounds },
		});
		this.#out = new Set([...this.#out, ...set]);
		if (without !== null) this.#remaining = without;
	}

	/** Without earlier carriers too. `least`: as for `#measure`. */
	async #takeOut(set: readonly Piece[], first: Piece | undefined, least: number | null): Promise<Measured> {
		const began = monotonicSeconds();
		const out = new Set([...this.#out, ...set]);
		const seconds = Math.min(LONGEST_PROOF, this.#left());
		const { rounds } = proofRule(this.#remaining.centre);
		const setting = { budgetSeconds: seconds, ...(least === null && { rounds }) };
		const measured = await this.#measure((piece) => !out.has(piece), setting, least);
		const others = this.#division.pieces.filter((piece) => out.has(piece) && piece !== first);
		const kind = least === null ? 'search' : 'proof';
		this.#note(kind, [...(first ? [first] : []), ...others], measured, monotonicSeconds() - began);
		if (measured.kind === 'rounds' && measured.rounds.head.length > 0) this.#noteHead(measured.rounds.head);
		return measured;
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
			piece: first === undefined ? null : shownPiece(first),
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

/** A failed proof shows no carrier. */
function trialOf(measured: Measured, isProof: boolean, left: (d: number) => number): Trial['outcome'] {
	if (measured.kind === 'broken') return 'broken';
	if (measured.kind === 'same') return measured.as === 'base' ? 'carries' : 'carries-nothing';
	const outcome = outcomeOf(measured, left(meanOf(measured.rounds.without)));
	if (outcome === 'slower') return 'carries-nothing';
	return isProof ? 'broken' : outcome === 'restored' ? 'carries' : 'between';
}

interface Shown extends Share {
	/** Null where head without them is the program of base. */
	readonly without: LogEstimate | null;
	readonly rounds: number;
}

function shownBy(measured: Measured): Shown | null {
	if (measured.kind === 'same' && measured.as === 'base') return { ...ALL, rounds: 0 };
	const found = measured.kind === 'rounds' ? shareFrom(measured.rounds) : null;
	return found && { ...found, rounds: measured.kind === 'rounds' ? measured.rounds.without.length : 0 };
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
