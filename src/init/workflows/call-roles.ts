import type { WorkflowCall } from './workflow-calls.ts';

/** What a call of benchgate does. */
export type Role = 'compare' | 'report' | 'baseline' | 'command';

const OF_REUSABLE: Readonly<Record<string, readonly Role[]>> = {
	'benchmark.yml': ['compare'],
	'report.yml': ['report'],
	'baseline.yml': ['baseline'],
	'command.yml': ['command'],
};

const OF_MODE: Readonly<Record<string, readonly Role[]>> = {
	compare: ['compare'],
	report: ['report'],
	baseline: ['baseline'],
};

/** What the mode `auto` does on an event; on any other it compares. */
const OF_EVENT: Readonly<Record<string, Role>> = {
	workflow_run: 'report',
	issue_comment: 'command',
	schedule: 'baseline',
};

/** Returns what a call does, by the workflow it calls, its mode, or the events it runs on. */
export function rolesOf({ reusable, inputs, events }: WorkflowCall): readonly Role[] {
	if (reusable !== null) return OF_REUSABLE[reusable] ?? [];
	const { mode = 'auto' } = inputs;
	if (mode !== 'auto') return OF_MODE[String(mode)] ?? [];
	return [...new Set([...events.keys()].map((event) => OF_EVENT[event] ?? 'compare'))];
}
