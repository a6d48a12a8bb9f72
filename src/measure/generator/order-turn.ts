import { type DataRow, requestsOf, type Scenario } from '../../types/config.ts';
import type { RoundPlan, Timing, Traffic, Turn } from '../../types/plan.ts';
import type { Affinity } from '../affinity.ts';
import { isCompressing } from '../answers/ask.ts';
import { headersUnderLoad } from '../answers/check-loaded-answers.ts';
import { mayExpire } from '../answers/learnt.ts';
import type { Verification } from '../answers/verify-scenario.ts';
import type { Pair } from '../pair.ts';
import type { Target, TurnOrder } from './messages.ts';

export interface TurnSetting {
	readonly turn: Turn;
	readonly design: RoundPlan['design'];
	readonly timing: Timing;
	readonly footprint?: number | undefined;
	/** Whether the pair has not been loaded yet. */
	readonly fresh: boolean;
	readonly affinity: Affinity;
	readonly held?: boolean;
	readonly rest?: boolean;
	readonly startedAt: number;
}

/** Throws if a mix has no `traffic`. */
export function orderTurn(
	scenario: Scenario,
	traffic: Traffic | undefined,
	verified: Verification,
	pair: Pair,
	{ turn, design, timing, footprint, fresh, affinity, held = false, rest = false, startedAt }: TurnSetting,
): Omit<TurnOrder, 'kind' | 'id'> {
	const target = (side: 'base' | 'head'): Target => ({
		origin: pair[side].origin,
		pid: pair[side].pid,
		...(pair[side].group !== null && { group: pair[side].group }),
		request: verified.request[side],
		...(verified.mix && { mix: verified.mix.map(({ request }) => request[side]) }),
		headers: (verified.mix ?? [verified]).map(({ headers }) => headers[side]),
		values: (verified.mix ?? [verified]).map(({ values }) => values[side]),
	});
	if (scenario.mix && !traffic) throw new Error(`${scenario.name} has a mix without an order`);
	const statuses = requestsOf(scenario).map(({ expect }) => expect.status);
	const headersOf = requestsOf(scenario).map(({ expect }) => headersUnderLoad(expect));
	return {
		turn,
		design,
		targets: { base: target('base'), head: target('head') },
		load: scenario.load,
		timing,
		warmup: fresh ? timing.firstWarmup : timing.warmup,
		serverCpu: affinity.serverCpu,
		...(held && { held: true as const }),
		...(rest && { rest: true as const }),
		...(affinity.laneCpus && { laneCpus: affinity.laneCpus }),
		awake: affinity.generatorAlone,
		statuses: scenario.expect.status,
		...(traffic && { traffic: { ...traffic, statuses } }),
		compressed: requestsOf(scenario).map(({ request }) => isCompressing(request)),
		...(headersOf.some((requestHeaders) => Object.keys(requestHeaders).length > 0) && { headersOf }),
		...(scenario.learn && mayExpire(scenario.learn) && { learns: true as const }),
		...(footprint !== undefined && { footprint }),
		runStartedAt: startedAt,
	};
}

/** Returns the first data row of each request; null without placeholders. */
export function firstRows(scenario: Scenario, traffic: Traffic | undefined): (DataRow | null)[] {
	return requestsOf(scenario).map((_, request) => {
		const at = traffic?.requests.indexOf(request) ?? -1;
		return traffic?.data[traffic.rows[at] ?? -1] ?? null;
	});
}
