import type { Right } from './workflow-calls.ts';

/**
 * What the job that calls a reusable workflow has to grant: GitHub starts nothing when a job inside asks for more. A test compares
 * it with the workflows themselves.
 */
export const REQUIRED_RIGHTS: Readonly<Record<string, Readonly<Record<string, Right>>>> = {
	'benchmark.yml': { contents: 'read', 'pull-requests': 'read' },
	'report.yml': { contents: 'read', actions: 'read', checks: 'write', 'pull-requests': 'write' },
	'baseline.yml': { contents: 'write', 'pull-requests': 'write' },
	'command.yml': { actions: 'write', 'pull-requests': 'write' },
};

/** What the action in a job of its own uses to write comment and check; without it the gate still holds. */
export const SPEAKING_RIGHTS: Readonly<Record<string, Right>> = { 'pull-requests': 'write', checks: 'write' };

/** What `mode: report` cannot do without. */
export const REPORTING_RIGHTS: Readonly<Record<string, Right>> = { actions: 'read', ...SPEAKING_RIGHTS };

/** Returns rights as YAML: `{ contents: read, checks: write }`. */
export function writeRights(rights: Readonly<Record<string, Right>>): string {
	return `{ ${Object.entries(rights)
		.map(([scope, right]) => `${scope}: ${right}`)
		.join(', ')} }`;
}
