/** Which CPU the servers share and which one the generator gets, from what the kernel says of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CpuFacts {
	/** CPUs this process may run on, ascending. */
	readonly allowed: readonly number[];
	/** Hardware threads of the same core, itself among them; empty where the kernel does not say. */
	readonly siblings: ReadonlyMap<number, readonly number[]>;
}

export interface CpuChoice {
	readonly server: number;
	readonly generator: number;
	/** Whether both are threads of one core, because there is no other. */
	readonly oneCore: boolean;
}

/** Returns the facts from `/proc` and `/sys` below `root`. */
export function readCpuFacts(root = '/'): CpuFacts {
	const status = readText(join(root, 'proc/self/status'));
	const allowed = parseCpuList(/^Cpus_allowed_list:\s*(.+)$/m.exec(status)?.[1] ?? '');
	const siblingsOf = (cpu: number) =>
		parseCpuList(readText(join(root, `sys/devices/system/cpu/cpu${cpu}/topology/thread_siblings_list`)));
	return { allowed, siblings: new Map(allowed.map((cpu) => [cpu, siblingsOf(cpu)])) };
}

/**
 * Returns the first allowed CPU for the servers, and for the generator the first one of another core; a thread of the same core
 * only where there is no other. Null with less than two CPUs.
 */
export function chooseCpus({ allowed, siblings }: CpuFacts): CpuChoice | null {
	const [server, next] = allowed;
	if (server === undefined || next === undefined) return null;
	const isSibling = (cpu: number) =>
		siblings.get(server)?.includes(cpu) === true || siblings.get(cpu)?.includes(server) === true;
	const other = allowed.find((cpu) => cpu !== server && !isSibling(cpu));
	return { server, generator: other ?? next, oneCore: other === undefined };
}

/** Returns the numbers of a kernel CPU list such as `0-3,8`. */
export function parseCpuList(text: string): number[] {
	return text
		.trim()
		.split(',')
		.filter((part) => part !== '')
		.flatMap((part) => {
			const [first = Number.NaN, last = first] = part.split('-').map(Number);
			return Array.from({ length: last - first + 1 }, (_, index) => first + index);
		});
}

function readText(path: string): string {
	try {
		return readFileSync(path, 'latin1');
	} catch {
		return '';
	}
}
