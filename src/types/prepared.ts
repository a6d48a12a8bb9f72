import type { CustomServer } from './config.ts';
import type { HarnessInfo, RevisionInfo } from './result.ts';
import type { Runtime } from './runtime.ts';
import type { Side, Sides, Warning } from './units.ts';

/** A server of one side, installed and built, ready to be started any number of times. */
export interface PreparedServer {
	readonly name: string;
	/** Absolute folder to start in; paths of both sides have equal length. */
	readonly cwd: string;
	/** Either an argument vector, or one shell command. */
	readonly run: { readonly argv: readonly string[] } | { readonly shell: string };
	/** Variables of the config, added to the scrubbed environment. */
	readonly env: Readonly<Record<string, string>>;
	/** Installed package → version. */
	readonly versions: Readonly<Record<string, string>>;
	/** Packages that the program of a server of one's own names as what it runs with; absent where nobody reads them. */
	readonly direct?: readonly string[];
	/** Its processes may use every CPU but the generator's; they share one when absent. */
	readonly takesAllCpus?: true;
	/** How it is started, where a pair is of two different servers; absent where the config's server of this name says it. */
	readonly starting?: {
		readonly ready: CustomServer['ready'];
		readonly hooks?: Pick<CustomServer, 'start' | 'stop'>;
	};
	/** What it runs on, where each server of a run has a runtime of its own; what its side runs on when absent. */
	readonly runtime?: Runtime;
}

/** A revision turned into servers. A server the side does not have is absent. */
export interface PreparedSide {
	readonly side: Side;
	readonly info: RevisionInfo;
	readonly servers: Readonly<Record<string, PreparedServer>>;
}

export interface Prepared {
	readonly sides: Sides<PreparedSide>;
	/** The revision whose bench servers both sides run; absent when the config names no harness. */
	readonly harness?: HarnessInfo;
	readonly warnings: readonly Warning[];
	/** Packages installed in this run; 0 when everything came from the cache. */
	readonly installs: number;
	/**
	 * Throws a UserError `workspace-changed` when the program of base is no longer what it was before head's code ran. For
	 * between rounds; absent where nothing foreign runs.
	 */
	readonly checkBase?: () => Promise<void>;
	/** Names of servers that are the same installation on both sides, because what they run packs to the same; absent for none. */
	readonly samePacked?: readonly string[];
}
