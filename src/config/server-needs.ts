import type { CatalogueServer } from './catalogue.ts';

interface NotInstalled {
	readonly reason: string;
	readonly remedy: string;
}

export interface MachineAtHand {
	/** Like `24.1.0`. */
	readonly node: string;
	/** Like `2.36`; null for another C library. */
	readonly glibc: string | null;
	/** Required programs that are missing. */
	readonly missing: ReadonlySet<string>;
	readonly satisfies: (version: string, range: string) => boolean;
}

/** Sentences without full stop: `it needs …`, and a remedy. */
export interface UnmetNeed {
	readonly reason: string;
	readonly remedy: string;
}

const PROGRAMS: Readonly<Record<string, readonly [name: string, remedy: string]>> = {
	go: ['Go', 'install it (https://go.dev/doc/install)'],
	python3: ['Python 3', 'install it (https://www.python.org/downloads/)'],
};

export function findUnmetNeed(server: CatalogueServer, machine: MachineAtHand): UnmetNeed | null {
	const { node, glibc, runtime = '', programs = [] } = server;
	const missing = programs.find((program) => machine.missing.has(program));
	if (missing !== undefined) {
		const [name, remedy] = PROGRAMS[missing] ?? [missing, 'install it'];
		return { reason: `${name} is not installed`, remedy: `${remedy}, so that ${missing} is on PATH` };
	}
	if (node !== undefined && !machine.satisfies(machine.node, node)) {
		return {
			reason: `it needs Node ${node}, and this is ${machine.node}`,
			remedy: runtime.startsWith('node@')
				? `use such a Node with --runtime ${runtime}, or give the path of one with --node`
				: 'give the path of such a Node with --node',
		};
	}
	if (glibc !== undefined && !isAtLeast(machine.glibc, glibc)) {
		const libraryNote = machine.glibc === null ? 'has another C library' : `has ${machine.glibc}`;
		return {
			reason: `its binaries need glibc ${glibc}, and this machine ${libraryNote}`,
			remedy: `run it on a system with glibc ${glibc} or later, such as Ubuntu 24.04`,
		};
	}
	return null;
}

function isAtLeast(version: string | null, least: string): boolean {
	if (version === null) return false;
	const [major = 0, minor = 0] = version.split('.').map(Number);
	const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number);
	return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

/** Returns which packages some registries lack; null if a lockfile installs the server. Asks no registry. */
export function findUnserved({ unserved = [], dependencies }: CatalogueServer): NotInstalled | null {
	const needed = unserved.filter((name) => dependencies.includes(name));
	if (needed.length === 0) return null;
	return { reason: `some registries lack ${needed.join(' and ')}`, remedy: packageFlags(needed) };
}

export function packageFlags(names: readonly string[]): string {
	return names.map((name) => `--package ${name}=FOLDER`).join(' ');
}
