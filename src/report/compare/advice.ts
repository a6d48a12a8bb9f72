/** Advice after a comparison. */

import { NOT_EXERCISED } from '../../impact/exercised.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { formatCount, formatDuration, formatPercent } from '../../text/numbers.ts';
import { joinAnd, type Phrase, phrase } from '../../text/phrase.ts';
import { METRICS } from '../../types/metric.ts';
import type { Result } from '../../types/result.ts';
import { isShardMissing, missingShards } from '../shard-lines.ts';
import { adviseAccepting, isAccepted, openRows } from './acceptance-words.ts';
import type { Audience } from './audience.ts';
import { baseWord, headWord, isHeadFine, nameSome, rowsWith } from './fault-words.ts';
import { nameOf, nounOf, type Row } from './rows.ts';

/** Advice suggests no larger multiple of the budget or threshold. */
const MOST_TIMES_BUDGET = 10;
const MOST_TIMES_THRESHOLD = 5;
const QUOTE_LIMIT = 160;
const MOST_NAMED = 3;

/** While other programs use the CPU, no number of rounds decides rows with these warnings. */
const CROWDED: readonly string[] = ['crowded-cpu', 'crowded-latency'];
/** No number of rounds decides rows with these warnings. */
const UNDECIDABLE: readonly string[] = ['put-off', 'metric-unavailable', 'whole-answers'];

const BUDGET = { code: 'budget' };
const BUSY = 'other programs were busy on this machine, so stop them and run again';

export function adviseRed(result: Result, rows: readonly Row[], audience: Audience): readonly Phrase[] {
	const open = openRows(result, rows);
	if (open.length === 0) return [];
	const regressed = open.filter((row) => row.verdict === 'regressed');
	const fixes = adviseFixes(regressed, open, rows, audience);
	if (audience.answersCommand) return fixes;
	const accepting = adviseAccepting(result, audience);
	if (accepting !== null) return [...fixes, accepting];
	if (regressed.length === 0) return fixes;
	const allow = phrase`if the slowdown is intended, set ${allowing(regressed)} in ${{ code: 'benchgate.yml' }} on the base branch.`;
	return [...fixes, allow];
}

export function adviseUnexercised({ warnings, base }: Pick<Result, 'warnings' | 'base'>): readonly Phrase[] {
	if (!warnings.some(({ code }) => code === NOT_EXERCISED)) return [];
	const name = { text: plainText(base.subject?.name ?? 'the subject', NAME_LIMIT) };
	return [phrase`add a scenario that runs ${name}: no row runs it, so this result says nothing about it.`];
}

function adviseFixes(
	regressed: readonly Row[],
	open: readonly Row[],
	rows: readonly Row[],
	audience: Audience,
): readonly Phrase[] {
	const [broken = [], changed = [], gone = [], drift = []] = (['head', 'answers', 'removed', 'drift'] as const).map(
		(kind) => rowsWith(kind, open),
	);
	const alone = broken.length + changed.length + gone.length + drift.length === 0;
	const slow = alone ? (regressed.length === 1 ? 'it' : 'them') : 'what got slower';
	return [
		...(regressed.length > 0 ? [[`fix ${slow}; the command below reproduces the run.`]] : []),
		...(broken.length > 0 ? [['fix head before merging.']] : []),
		...(changed.length > 0 ? [adviseChanged(audience)] : []),
		...(drift.length > 0 ? [phrase`make head as fast as base in ${nameSome(drift, rows)}.`] : []),
		...(gone.length > 0 ? [adviseGone(gone, rows, audience)] : []),
	];
}

function adviseChanged(audience: Audience): Phrase {
	const ways = phrase`${{ code: '<any>' }} in ${{ code: 'expect.json' }}, ${{ code: 'ignore' }} or ${{ code: 'compare' }}`;
	return phrase`make head answer like base, or write into the config of ${baseWord(audience)} what may differ: ${ways}.`;
}

/** With a label, `adviseAccepting` explains how to accept the removal. */
function adviseGone(gone: readonly Row[], rows: readonly Row[], audience: Audience): Phrase {
	const names = nameSome(gone, rows);
	if (audience.acceptLabel) return phrase`bring ${names} back in head.`;
	const them = gone.length === 1 ? 'it' : 'them';
	return phrase`bring ${names} back in head, or remove ${them} from the config of ${baseWord(audience)}.`;
}

/**
 * Returns `threshold: 11%` with the scenarios of `rows`. The percentage is the smallest whole one beyond every
 * interval.
 */
function allowing(rows: readonly Row[]): Phrase {
	const metricRows = rows.filter(({ cell }) => METRICS[cell.metric].threshold !== undefined);
	if (metricRows.length > 0) {
		const metrics = [...new Set(metricRows.map(({ cell }) => cell.metric))].map((code): Phrase => [{ code }]);
		const otherPhrase =
			metricRows.length === rows.length
				? ['']
				: phrase`, and ${allowing(rows.filter((row) => !metricRows.includes(row)))}`;
		return phrase`a larger ${{ code: 'threshold' }} for ${joinAnd(metrics)} under ${{ code: 'gate.metrics' }}${otherPhrase}`;
	}
	const lows = rows.map(({ span }) => span?.low ?? null);
	const drops = lows.flatMap((low) => (low === null ? [] : -low));
	const percent = Math.floor(Math.max(...drops) * 100) + 1;
	const bounded = drops.length === lows.length && percent < 100;
	const threshold = bounded ? [{ code: `threshold: ${percent}%` }] : phrase`a larger ${{ code: 'threshold' }}`;
	const names = [...new Set(rows.map(({ scenario }) => scenario))];
	const shown = names.map((code): Phrase => [{ code }]);
	const which = names.length > MOST_NAMED ? [`these ${formatCount(names.length)} scenarios`] : joinAnd(shown);
	return phrase`${threshold} for ${which}`;
}

/**
 * Returns advice on broken rows, except those that only head must fix. Quotes a fault without a culprit, unless the
 * headline has done so (`isFaultTold`).
 */
export function adviseInvalid(rows: readonly Row[], audience: Audience, isFaultTold: boolean): readonly Phrase[] {
	const [base = [], both = [], rebase = [], unknown = []] = (['base', 'both', 'rebase', 'unknown'] as const).map(
		(kind) => rowsWith(kind, rows),
	);
	return [
		...(base.length > 0 ? adviseBase(base, rows, audience) : []),
		...(both.length > 0 ? [adviseBoth(both, audience)] : []),
		...(rebase.length > 0 ? [phrase`rebase on the base branch to have ${nameSome(rebase, rows)} compared.`] : []),
		...(unknown.length > 0 ? [adviseUnknown(unknown, isFaultTold)] : []),
	];
}

/** If base failed once, another run may succeed; if it always fails, it needs a fix. */
function adviseBase(base: readonly Row[], rows: readonly Row[], audience: Audience): readonly Phrase[] {
	const fine: readonly Phrase[] = isHeadFine(rows) ? [[`nothing to fix in ${headWord(audience)}.`]] : [];
	const once = base.every(({ cell }) => cell.warnings.some((fault) => fault.side === 'base' && fault.once));
	const names = nameSome(base, rows);
	if (once) return [...fine, phrase`run again to have ${names} measured: base had worked before and failed once.`];
	return [...fine, phrase`fix ${baseWord(audience)} to have ${names} measured.`];
}

function adviseBoth(both: readonly Row[], { lineOf }: Audience): Phrase {
	const places = new Set(
		both.flatMap((row) => {
			const place = lineOf?.(row.cell.scenario);
			return place ? `${place.path}:${place.line}` : [];
		}),
	);
	const lines = [...places].slice(0, MOST_NAMED).map((line): Phrase => [{ code: plainText(line, NAME_LIMIT) }]);
	if (lines.length === 0) return ['fix what both sides do wrong, or correct what the config expects.'];
	const expect = lines.length === 1 ? 'expects' : 'expect';
	return phrase`fix what both sides do wrong, or correct what ${joinAnd(lines)} ${expect}.`;
}

function adviseUnknown(unknown: readonly Row[], isFaultTold: boolean): Phrase {
	const [first] = unknown;
	const alike = new Set(unknown.map((row) => row.cell.warnings[0]?.message)).size === 1;
	if (isFaultTold && alike) return ['fix this, then run again.'];
	if (unknown.length > 1 || !first) return ['fix what the notes below describe, then run again.'];
	return phrase`fix why ${nameOf(first)} could not be measured, then run again: ${quoteFault(first)}`;
}

/** Returns the first fault of an invalid row as a sentence, shortened for headlines. */
export function quoteFault(row: Row): Phrase {
	const quote = plainText(row.cell.warnings[0]?.message ?? 'see the notes', QUOTE_LIMIT);
	return [{ text: quote }, /[.!?…]$/.test(quote) ? '' : '.'];
}

/** Returns the fault if `quoteFault` does not shorten it. */
export function wholeQuote(row: Row): string | null {
	const message = row.cell.warnings[0]?.message;
	return message !== undefined && plainText(message, QUOTE_LIMIT) === message ? message : null;
}

/**
 * Returns a larger budget that would decide the inconclusive rows, and the smallest threshold that this budget can
 * decide. The standard error falls with the square root of the rounds, so the budget grows with the ratio squared.
 */
export function adviseInconclusive(result: Result, rows: readonly Row[], audience: Audience): readonly Phrase[] {
	const open = rows.filter((row) => row.verdict === 'inconclusive' && !isShardMissing(row));
	const harmless = isAccepted(result) && result.onInconclusive !== 'fail';
	if (harmless) return [];
	const apart = open.filter(({ cell }) => cell.warnings.some(({ code }) => UNDECIDABLE.includes(code)));
	const others = open.filter((row) => !apart.includes(row));
	return [...adviseShards(rows, audience), ...adviseUndecidable(apart), ...adviseOpen(result, others)];
}

function adviseUndecidable(rows: readonly Row[]): readonly Phrase[] {
	if (rows.length === 0) return [];
	const [note, them] = rows.length === 1 ? ['note', 'it'] : ['notes', 'them'];
	return [phrase`read the ${note} on ${nameRows(rows)}: a larger ${BUDGET} does not decide ${them}.`];
}

/** Separate, because a larger budget does not replace missing shards. */
function adviseShards(rows: readonly Row[], audience: Audience): readonly Phrase[] {
	const shards = missingShards(rows);
	if (shards.length === 0) return [];
	const [one, they] = shards.length === 1 ? ['', 'it'] : ['s', 'they'];
	const which = `shard${one} ${shards.join(', ')} again, because ${they} did not finish.`;
	// GitHub reruns the dependent jobs too.
	if (audience.gate !== undefined) return [[`run the job${one} of ${which} GitHub then gathers again by itself.`]];
	return [[`run ${which} Then gather again.`]];
}

function adviseOpen(result: Result, open: readonly Row[]): readonly Phrase[] {
	if (open.length === 0) return [];
	if (result.ended === 'interrupted') return [phrase`run it again, to the end.`];
	if (open.every(({ cell }) => cell.warnings.some(({ code }) => CROWDED.includes(code)))) {
		return [phrase`${BUSY}, or use another machine.`];
	}
	const { busy, quieter } = describeMachineTrouble(result);
	const decidableRows = open.filter((row) => row.cell.smallestDecidableThreshold !== null);
	const now = `(now ${formatDuration(result.budget)})`;
	if (decidableRows.length < open.length)
		return [phrase`${busy}use a larger ${BUDGET} ${now}: there were too few rounds.`];
	const ratio = Math.max(...decidableRows.map(({ cell }) => (cell.smallestDecidableThreshold ?? 0) / cell.threshold));
	const which = nameRows(open);
	const are = open.length === 1 ? 'is' : 'are';
	if (ratio <= 1) {
		return [phrase`${busy}use a larger ${BUDGET} ${now}: ${which} ${are} too close to what is allowed to decide.`];
	}
	if (ratio > MOST_TIMES_THRESHOLD) {
		return [phrase`${busy}use ${quieter}: ${which} ${are} too noisy for any sensible ${BUDGET}.`];
	}
	const thresholds = nameThresholds(open);
	if (ratio ** 2 > MOST_TIMES_BUDGET) {
		return [
			phrase`${busy}use ${quieter}, or ${thresholds}: ${which} ${are} too noisy to decide, and a larger ${BUDGET} is not enough.`,
		];
	}
	const budget = formatDuration(Math.ceil((result.budget * ratio ** 2) / 60) * 60);
	return [
		phrase`${busy}use a ${BUDGET} of about ${budget} ${now} to decide ${which}, or keep the budget and use ${thresholds}.`,
	];
}

function describeMachineTrouble({ warnings }: Result): { readonly busy: string; readonly quieter: string } {
	const busy = warnings.some(({ code }) => code === 'busy-machine');
	return busy
		? {
				busy: `${BUSY}. If that does not help, `,
				quieter: 'another machine',
			}
		: { busy: '', quieter: 'a quieter machine' };
}

function nameRows(rows: readonly Row[]): Phrase {
	if (rows.length > MOST_NAMED) return [`the ${formatCount(rows.length)} undecided ${nounOf(rows)}s`];
	return joinAnd(rows.map((row): Phrase => [nameOf(row)]));
}

/** `a threshold of 8.2 % for express/ping and 12.8 % for koa/ping` */
function nameThresholds(rows: readonly Row[]): Phrase {
	const spell = (row: Row): string =>
		formatPercent(Math.ceil((row.cell.smallestDecidableThreshold ?? 0) * 1000 - 1e-6) / 1000);
	const [first, ...others] = rows;
	if (!first || rows.length > MOST_NAMED) {
		const sorted = rows.toSorted(
			(a, b) => (a.cell.smallestDecidableThreshold ?? 0) - (b.cell.smallestDecidableThreshold ?? 0),
		);
		const [low, high] = [sorted[0], sorted.at(-1)].map((row) => (row ? spell(row) : ''));
		const threshold = { code: 'threshold' };
		if (low === high) return phrase`a ${threshold} of ${low ?? ''}`;
		return phrase`${threshold}s from ${low ?? ''} to ${high ?? ''}`;
	}
	if (others.length === 0) return phrase`a ${{ code: 'threshold' }} of ${spell(first)}`;
	return phrase`a ${{ code: 'threshold' }} of ${joinAnd(rows.map((row) => phrase`${spell(row)} for ${nameOf(row)}`))}`;
}
