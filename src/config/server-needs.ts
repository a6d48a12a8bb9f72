import type { CatalogueServer } from './catalogue.ts';

/** Why a server may not be installed, and what to do then. */
interface NotInstalled {
	readonly reason: string;
	readonly remedy: string;
}

/** The machine that servers would run on. */
export interface MachineAtHand {
	/** Version of the Node that runs them: `24.1.0`. */
	readonly node: string;
	/** Version of the GNU C library, `2.36`; null where there is another one. */
	readonly glibc: string | null;
	/** Names of programs that a server needs and the machine lacks. */
	readonly missing: ReadonlySet<string>;
	/** Whether a version is in a range of `engines`. */
	readonly satisfies: (version: string, range: string) => boolean;
}

/** Why a server cannot run on a machine, as sentences without a full stop: `it needs …`, and what to do. */
export interface UnmetNeed {
	readonly reason: string;
	readonly remedy: string;
}

/** How to get the programs that built-in servers need. */
const PROGRAMS: Readonly<Record<string, readonly [name: string, remedy: string]>> = {
	go: ['Go', 'install it (https://go.dev/doc/install)'],
	python3: ['Python 3', 'install it (https://www.python.org/downloads/)'],
};

/** Returns why a built-in server is not supported on a machine; null when it is. */
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
				? `ask for such a Node with --runtime ${runtime}, or give the path of one with --node`
				: 'give the path of such a Node with --node',
		};
	}
	if (glibc !== undefined && !isAtLeast(machine.glibc, glibc)) {
		const found = machine.glibc === null ? 'has another C library' : `has ${machine.glibc}`;
		return {
			reason: `its binaries need glibc ${glibc}, and this machine ${found}`,
			remedy: `run it on a system with glibc ${glibc} or later, such as Ubuntu 24.04`,
		};
	}
	return null;
}

/** Compares dotted numbers. */
function isAtLeast(version: string | null, least: string): boolean {
	if (version === null) return false;
	const [major = 0, minor = 0] = version.split('.').map(Number);
	const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number);
	return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

/**
 * Returns what to know of a server whose packages not every registry serves, without asking one: it counts as not installed,
 * and is installed where the registry at hand serves them. Null for a server that its lockfile installs.
 */
export function findUnserved({ unserved = [], dependencies }: CatalogueServer): NotInstalled | null {
	const needed = unserved.filter((name) => dependencies.includes(name));
	if (needed.length === 0) return null;
	return { reason: `some registries lack ${needed.join(' and ')}`, remedy: packageFlags(needed) };
}

/** Returns the flags that give packages from elsewhere. */
export function packageFlags(names: readonly string[]): string {
	return names.map((name) => `--package ${name}=FOLDER`).join(' ');
}
