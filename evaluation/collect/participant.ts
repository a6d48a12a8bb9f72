import type { Bench } from '../../src/measure/bench.ts';
import type { Laboratory } from '../../src/measure/laboratory.ts';
import { planCells } from '../../src/plan/plan-cells.ts';
import { planRun } from '../../src/plan/plan-run.ts';
import { timingFor } from '../../src/plan/timing.ts';
import type { PrepareContext } from '../../src/prepare/prepare-context.ts';
import type { Design } from '../../src/types/config.ts';
import type { Plan, Timing } from '../../src/types/plan.ts';
import type { Side, Sides } from '../../src/types/units.ts';
import type { Versions } from '../series.ts';
import type { Item } from './item.ts';
import { prepareItem } from './prepare-item.ts';

/** One server that takes part in an item: with two, both are measured at the same time. */
export interface Participant {
	/** One for each design of the item. */
	readonly plans: readonly Plan[];
	readonly versions: Sides<Versions>;
	readonly laboratory: Laboratory;
}

export interface ParticipantContext extends PrepareContext {
	readonly bench: Bench;
	/** True while another participant is measured on a bench of its own. */
	readonly sharesCpu?: boolean;
	/** `Date.now()` when measuring the series began, maybe in an earlier call. */
	readonly startedAt: number;
}

export interface MeasureContext extends Omit<ParticipantContext, 'startedAt'> {
	/** Folder of the series files. */
	readonly folder: string;
	/** Whether there is time for another round. */
	readonly hasTime: () => boolean;
}

/** Prepares the item's servers on both sides and returns its plans and a laboratory that measures them. */
export async function openParticipant(item: Item, context: ParticipantContext): Promise<Participant> {
	const { bench, sharesCpu = false, startedAt } = context;
	const { config, prepared } = await prepareItem(item, context);
	const names = item.server.split(',');
	const { cells } = planCells(config, { servers: { base: names, head: names } });
	const timing = (design: Design): Timing => ({ ...timingFor({ design }), ...item.timing });
	const basic = planRun(config, cells, []);
	const versionsOf = (side: Side): Versions => {
		const all = names.map((name) => [name, prepared.sides[side].info.versions[name] ?? {}] as const);
		if (all.length === 1) return all[0]?.[1] ?? {};
		return Object.fromEntries(
			all.flatMap(([name, versions]) =>
				Object.entries(versions).map(([subject, version]) => [`${name}: ${subject}`, version]),
			),
		);
	};
	return {
		plans: item.designs.map((design) => ({ ...basic, design, timing: timing(design) })),
		versions: { base: versionsOf('base'), head: versionsOf('head') },
		laboratory: bench.laboratory({ config, prepared, timing, startedAt, sharesCpu }),
	};
}
