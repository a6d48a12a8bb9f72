import type { Config, Scenario } from '../../types/config.ts';
import type { RoundPlan, Timing, Traffic } from '../../types/plan.ts';
import type { Prepared } from '../../types/prepared.ts';
import type { BaseAnswers } from '../answers/verify-scenario.ts';
import type { Generator } from '../generator-process.ts';
import type { StartContext } from '../pair.ts';

/** What a laboratory with real processes measures, and with what. */
export interface LaboratoryOptions {
	readonly config: Pick<Config, 'servers' | 'scenarios'>;
	readonly prepared: Prepared;
	/** Timing of each design that may be asked for. */
	readonly timing: (design: RoundPlan['design']) => Timing;
	/** The order of a scenario with a mix. Nobody needs it for built-in scenarios alone. */
	readonly traffic?: (scenario: Scenario) => Traffic | undefined;
	/** Says a remark about a server's pair in words of its own, where base and head are two different servers; as it is when absent. */
	readonly words?: (remark: string, server: string) => string;
	/** Base's answers to disputed questions, by cell; shared with the laboratories of other lanes. */
	readonly disputed?: Map<string, BaseAnswers>;
	readonly generator: Generator;
	readonly start: StartContext;
	/** `Date.now()` when measuring began. */
	readonly startedAt: number;
}
