/** Windows that load one side alone: whose turn it is, and which belong together. */
import type { Design } from '../../../types/config.ts';
import type { Window } from '../../../types/round.ts';
import { otherSide, type Side } from '../../../types/units.ts';

/**
 * Returns the sides of the one-sided windows in order: ABBA ABBA in `alternating`; in `sequential` one side's after the other's;
 * none in a duet.
 */
export function singleOrder(design: Design, first: Side, windows: number): Side[] {
	const second = otherSide(first);
	if (design === 'duet') return [];
	if (design === 'sequential') return [...Array<Side>(windows).fill(first), ...Array<Side>(windows).fill(second)];
	return Array.from({ length: windows }, (_, index) => (index % 2 === 0 ? [first, second] : [second, first])).flat();
}

/** Returns the n-th one-sided window of base with the n-th of head as one; what has no counterpart is left out. */
export function pairUp(single: readonly Window[]): Window[] {
	const heads = single.filter((window) => window.head !== null);
	return single
		.filter((window) => window.base !== null)
		.flatMap((base, index) => {
			const head = heads[index];
			return head === undefined ? [] : [join(base, head)];
		});
}

function join(base: Window, head: Window): Window {
	return {
		kind: base.kind,
		startedAt: Math.min(base.startedAt, head.startedAt),
		base: base.base,
		head: head.head,
		generatorUtilisation: Math.max(base.generatorUtilisation, head.generatorUtilisation),
		generatorCpuSeconds: base.generatorCpuSeconds + head.generatorCpuSeconds,
		otherCpu: base.otherCpu === null || head.otherCpu === null ? null : (base.otherCpu + head.otherCpu) / 2,
		serverCpuIdle:
			base.serverCpuIdle === null || head.serverCpuIdle === null ? null : base.serverCpuIdle + head.serverCpuIdle,
	};
}
