/** Whether the instructions of a process can be counted on this machine. */

import { readFolder, readText } from '../process/process-tree.ts';
import type { Feature } from '../types/selftest.ts';

const DEVICES = '/sys/bus/event_source/devices';
const PARANOID = '/proc/sys/kernel/perf_event_paranoid';
/** Names the kernel gives to a processor's counters; software and tracing events have others. */
const PROCESSOR = /^(cpu|cpu_core|armv\d.*)$/;
/** Beyond this only the administrator may count, not even in processes of one's own. */
const MOST_PARANOID = 2;

/** Returns whether instructions of a process can be counted here, and what stands in the way. */
export function findInstructionCounters(): Feature {
	const device = readFolder(DEVICES).find((name) => PROCESSOR.test(name));
	if (device === undefined) return { available: false, note: 'the kernel or hypervisor offers none' };
	const paranoid = Number(readText(PARANOID) ?? Number.NaN);
	if (paranoid > MOST_PARANOID) {
		return { available: false, note: `${device}, but perf_event_paranoid is ${paranoid}` };
	}
	return { available: true, note: device };
}
