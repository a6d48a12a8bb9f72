import { formatChange } from '../../text/numbers.ts';
import type { Progress } from '../../types/run-services.ts';
import type { Probed } from './bisect-loop.ts';

/** Returns what one probe came to, for the line that stays in the log. */
export function describeProbed(probed: Probed): string {
	if (probed.kind === 'same') return 'packs to the same code as good: not measured';
	if (probed.kind === 'broken') return `cannot be measured: ${probed.reason}`;
	const each = probed.d.map((value) => formatChange(Math.expm1(value))).join(', ');
	return `${each} against good`;
}

/** What single comparisons say would scroll the picture of the bisect away. */
export const SILENT: Progress = { step() {}, status() {} };
