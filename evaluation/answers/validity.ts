/** Question 2: does the duet agree with designs that load one side at a time? */

import { INJECTION_KINDS } from '../../src/inject/injection.ts';
import { decide } from '../../src/judge/decide.ts';
import { formatPercent } from '../../src/text/numbers.ts';
import { DESIGNS, type Design } from '../../src/types/config.ts';
import type { MetricName } from '../../src/types/metric.ts';
import type { Round } from '../../src/types/round.ts';
import type { RowDecision } from '../../src/types/verdict.ts';
import { renumber } from '../replay/rounds.ts';
import { meanOf } from '../replay/share.ts';
import type { Mean, Validity, ValidityPair } from '../results.ts';
import { type Effect, type InjectionEffect, roundsOf, type Series } from '../series.ts';
import { achievedBy } from './achieved.ts';
import { codesOf } from './guards.ts';
import { linesOf } from './lines.ts';
import { roundMean } from './round-mean.ts';
import { planOf, turnsOf } from './turns.ts';

interface Said {
	readonly row: RowDecision;
	readonly guards: readonly string[];
}

/** Warnings of rows that needed alternating windows, decided or not. */
const CONFIRMATION_CODES = ['confirmed-alternating', 'unconfirmed'];

/**
 * Returns every series of the experiment `validity` as a pair, with mean d over rounds and 95 % t interval of each
 * design (log units, negative is worse; null without rounds), and the lines of the duet on the other designs over the
 * pairs.
 *
 * `verdict` is that of the rule on all duet rounds of the series, which has fewer of them than a run may take: the last
 * look gets the weight of all remaining looks. If the rule needs confirmation, the series' alternating rounds are the
 * confirm rounds; otherwise they are not used. Empty without duet rounds.
 */
export function validity(series: readonly Series[]): Validity {
	const pairs = series.filter(({ experiment }) => experiment === 'validity').map(pairOf);
	return { pairs, lines: linesOf(pairs) };
}

function pairOf(series: Series): ValidityPair {
	const { id, effect } = series;
	const verdicts = verdictsOf(series);
	return {
		id,
		title: titleOf(series),
		effect: kindOf(effect),
		intended: intendedOf(effect),
		achieved: effect.kind === 'injection' ? achievedBy(effect.injection.kind, series) : null,
		throughput: byDesign((design) => designMean(series, design, 'throughput')),
		cpu: byDesign((design) => designMean(series, design, 'cpu-per-request')),
		verdict: verdicts?.confirmed.row.verdict ?? '',
		asksConfirmation: verdicts?.alone.row.warnings.some(({ code }) => CONFIRMATION_CODES.includes(code)) ?? false,
		guards: verdicts?.confirmed.guards ?? [],
	};
}

/**
 * The row of throughput and the guards by the duet rounds alone, and with the alternating rounds to confirm it; null
 * without a duet.
 */
function verdictsOf(series: Series): { readonly alone: Said; readonly confirmed: Said } | null {
	const plan = planOf(series, 'duet');
	const duet = roundsOf(series, 'duet');
	if (!plan || duet.length === 0) return null;
	const say = (rounds: readonly Round[]): Said => {
		const decision = decide(plan, rounds, 'rounds');
		const { rows } = decision;
		const row = rows.find(({ metric }) => metric === 'throughput') ?? (rows[0] as RowDecision);
		return { row, guards: codesOf(decision) };
	};
	const alternating = renumber(roundsOf(series, 'alternating'), 'confirm');
	return { alone: say(duet), confirmed: say([...duet, ...alternating]) };
}

function designMean(series: Series, design: Design, metric: MetricName): Mean | null {
	const plan = planOf(series, design);
	if (!plan) return null;
	const d = roundsOf(series, design).flatMap((round) => roundMean(turnsOf(plan, round), metric) ?? []);
	return d.length === 0 ? null : meanOf(d);
}

function byDesign(read: (design: Design) => Mean | null): Record<Design, Mean | null> {
	return Object.fromEntries(DESIGNS.map((design) => [design, read(design)])) as Record<Design, Mean | null>;
}

function kindOf(effect: Effect): string {
	if (effect.kind !== 'injection') return effect.kind;
	return effect.base ? 'shift' : effect.injection.kind;
}

function intendedOf(effect: Effect): number | null {
	if (effect.kind === 'same' || (effect.kind === 'injection' && effect.base)) return 0;
	return effect.kind === 'injection' && effect.drop !== null ? Math.log1p(-effect.drop) : null;
}

function titleOf({ effect, plans }: Series): string {
	const server = plans[0]?.cells[0]?.server ?? '';
	switch (effect.kind) {
		case 'same':
			return `${server} against itself`;
		case 'servers':
			return `${effect.base} → ${effect.head}`;
		case 'revisions':
			return `${effect.base.replace(/^npm:/, '')} → ${effect.head.replace(/^npm:/, '')}`;
		case 'injection':
			return `${server} ${describeInjection(effect)}`;
	}
}

function describeInjection({ injection, base, drop }: InjectionEffect): string {
	const { kind, amount, every } = injection;
	const { does, unit } = INJECTION_KINDS[kind];
	const much =
		drop === null ? `${Number(amount.toFixed(2))} ${unit}` : `a drop of ${formatPercent(drop, 1)} is intended`;
	const where = base ? `, where base ${INJECTION_KINDS[base.kind].does}` : '';
	return `${does}${where} (${much}${every > 1 ? `, 1 request in ${every}` : ''})`;
}
