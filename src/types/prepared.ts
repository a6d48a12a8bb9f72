import type { CustomServer } from './config.ts';
import type { ChangedFile, FileVersion } from './difference.ts';
import type { HarnessInfo, RevisionInfo } from './result.ts';
import type { Runtime } from './runtime.ts';
import type { Side, Sides, Warning } from './units.ts';

export interface PreparedServer {
	readonly name: string;
	/** Absolute. The paths of both sides have equal length. */
	readonly cwd: string;
	/** Folder of all its files; `cwd` when absent. */
	readonly root?: string;
	readonly run: { readonly argv: readonly string[] } | { readonly shell: string };
	/** From the config; added to the scrubbed environment. */
	readonly env: Readonly<Record<string, string>>;
	/** Installed package → version. */
	readonly versions: Readonly<Record<string, string>>;
	/** Declared runtime dependencies of a custom server; absent if not read. */
	readonly direct?: readonly string[];
	/** May use all CPUs except the generator's; both sides share one CPU when absent. */
	readonly takesAllCpus?: true;
	/** For pairs of two servers; the config's when absent. */
	readonly starting?: {
		readonly ready: CustomServer['ready'];
		readonly hooks?: Pick<CustomServer, 'start' | 'stop'>;
	};
	/** Of this server; the side's when absent. */
	readonly runtime?: Runtime;
}

export interface PreparedSide {
	readonly side: Side;
	readonly info: RevisionInfo;
	readonly servers: Readonly<Record<string, PreparedServer>>;
}

export interface Prepared {
	readonly sides: Sides<PreparedSide>;
	readonly harness?: HarnessInfo;
	readonly warnings: readonly Warning[];
	/** Packages installed now; 0 if all were cached. */
	readonly installs: number;
	/**
	 * Throws UserError `workspace-changed` if head's code changed base's program. Call it between rounds; absent if no
	 * foreign code runs.
	 */
	readonly checkBase?: () => Promise<void>;
	/** Servers with equal packed code on both sides, which share one installation. */
	readonly samePacked?: readonly string[];
	/** The sides are different programs, whose headers are not compared. */
	readonly unrelated?: boolean;
	/** Absent for packages from a registry. */
	readonly variants?: Variants;
}

export interface Variants {
	/** Returns the files that may matter, or why they are unknown. */
	changes(): Promise<readonly ChangedFile[] | string>;
	/** Prepares head with other `files`, in its place. Throws as for head. */
	prepare(server: string, files: readonly FileVersion[]): Promise<Prepared>;
	remove(): Promise<void>;
}
