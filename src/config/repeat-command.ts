import type { CompareFlags } from '../cli/compare-command.ts';
import { shellWord } from '../text/shell-word.ts';

const NAMES: readonly [keyof CompareFlags, string][] = [
	['server', '--server'],
	['scenario', '--scenario'],
	['config', '--config'],
	['subject', '--subject'],
	['threshold', '--threshold'],
	['tolerance', '--tolerance'],
	['budget', '--budget'],
	['design', '--design'],
	['rounds', '--rounds'],
	['onInconclusive', '--on-inconclusive'],
	['node', '--node'],
];

/** Returns the command that repeats a run: the flags as given, and the seed it used. */
export function describeReproduction(flags: CompareFlags, seed: number): string {
	const given = NAMES.flatMap(([key, name]) => {
		const value = flags[key];
		return value === undefined ? [] : [name, String(value)];
	});
	const words = ['--base', flags.base, '--head', flags.head, ...given, '--seed', String(seed)];
	return ['npx', 'benchgate', 'compare', ...words].map(shellWord).join(' ');
}
