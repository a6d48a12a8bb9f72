import type { InputOption } from '../../config/option-names.ts';
import type { BenchCommand } from '../../types/action-run.ts';

/** What drift does. They say nothing of what was to be measured. */
export const DRIFT_INPUTS: readonly InputOption[] = ['drift', 'driftThreshold'];

/**
 * Inputs that decide which rows there are, what they run on, and how they are judged. The measuring and the reporting workflow take
 * them alike.
 */
export const DECIDING: readonly InputOption[] = [
	...(['config', 'server', 'scenario', 'subject'] as const),
	...(['threshold', 'tolerance', 'budget', 'design'] as const),
	...(['runtime', 'baseRuntime', 'headRuntime'] as const),
	...DRIFT_INPUTS,
];

/** Returns the options that a comment gives, to stand in the place of the inputs of both; empty without a command. */
export function optionsIn(command: BenchCommand | null): Readonly<Partial<Record<InputOption, string>>> {
	const { scenarios = [], threshold } = command ?? {};
	return {
		...(scenarios.length > 0 && { scenario: scenarios.join(',') }),
		...(threshold !== undefined && { threshold }),
	};
}
