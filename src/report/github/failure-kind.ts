import type { Failure } from '../../types/action-run.ts';

/** Whose fault a failure is. `machine`: the runner, its disk or its network; `other`: nobody we can name. */
export type FailureKind = 'usage' | 'internal' | 'machine' | 'base' | 'head' | 'other';

/** Codes of errors that strike while a side is prepared but are not that side's fault. */
const MACHINE_CODES: readonly string[] = [
	'network',
	'disk-full',
	'cache-unusable',
	'no-git',
	'no-node',
	'no-tar',
	'npm-failed',
	'git-owner',
	'incomplete-installation',
];

/** Returns whose fault a failure is; what the machine did counts before the side it struck. */
export function failureKind({ usage, code, side }: Failure): FailureKind {
	if (usage) return 'usage';
	if (code === 'internal') return 'internal';
	if (MACHINE_CODES.includes(code)) return 'machine';
	return side ?? 'other';
}
