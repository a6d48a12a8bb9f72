import type { Config, ServerSpec } from '../types/config.ts';
import { isFullHash } from '../types/identifiers.ts';
import type { Isolation } from '../types/isolation.ts';
import type { Janitor, Progress } from '../types/run-services.ts';
import type { Runtime } from '../types/runtime.ts';
import type { Side, Sides, Warning } from '../types/units.ts';
import type { Source } from './revision/source.ts';

/** What preparing needs from outside. */
export interface PrepareContext {
	/** Folder the user works in: relative revisions, the git repository, the npm settings. */
	readonly cwd: string;
	/** Folder that holds `servers/`. */
	readonly toolRoot: string;
	readonly cacheFolder: string;
	/** Path of the Node binary that will run the servers, and runs every build. */
	readonly node: string;
	/** What the servers of each side run on; the Node above when absent. */
	readonly runtimes?: Sides<Runtime>;
	/** Command or path of npm; `npm` when absent. */
	readonly npm?: string;
	readonly janitor: Janitor;
	readonly progress: Progress;
	readonly signal: AbortSignal;
	/**
	 * Revision whose bench servers both sides get, a commit or a folder, where the config names a harness; the files around
	 * `cwd` as they are when absent.
	 */
	readonly harnessFrom?: string;
	/** Names of custom servers that neither side need have: the config that asks for them is newer than both. */
	readonly newServers?: readonly string[];
	/** Servers of the same comparison that other machines prepare: whether any runs the subject is asked of these too. */
	readonly elsewhere?: readonly ServerSpec[];
	/** Who the code of both sides runs as; our own user when absent. */
	readonly isolation?: Pick<Isolation, 'level' | 'sides' | 'hide' | 'reclaim' | 'shareCaches'>;
	/** What reports call the revisions, where the caller knows better names than they have themselves. */
	readonly labels?: Partial<Sides<string>>;
	/** Names of variables that were taken out of this process's environment before, because they may hold secrets. */
	readonly withheld?: readonly string[];
}

/** The context and what is derived from it once. */
export interface Session extends PrepareContext {
	/** Everything that is not passed on to builds because it may hold a secret: names only. */
	readonly withheld: readonly string[];
	/** What was noticed while preparing. */
	readonly warnings: Warning[];
	/** Sides whose own users have run something, and may have downloaded something with it. */
	readonly ranApart: Set<Side>;
	readonly config: Config;
	/** Environment of every child, scrubbed. */
	readonly environment: Readonly<Record<string, string>>;
	/** Version of the Node that builds and serves: `24.1.0`. */
	readonly nodeVersion: string;
	/** Node major, platform and architecture: part of every key, because native code depends on them. */
	readonly platform: string;
	/** Absolute path of the program that built-in servers are started with; that Node when absent. */
	readonly program?: string;
	/** What of this is different in a session of one side alone; see `sessionOf`. */
	readonly own?: Sides<Partial<Session>>;
}

/** Returns the session in which one side is built and installed: with its own Node where it runs on another one. */
export function sessionOf(session: Session, side: Side): Session {
	return { ...session, ...session.own?.[side] };
}

/** Returns how many milliseconds one step of preparing may take. */
export function longestStep({ config }: Pick<Session, 'config'>): number {
	return config.prepareTimeoutSeconds * 1000;
}

/** The warning that a side asks for another Node than the one at hand. */
export const WRONG_NODE = 'wrong-node';

/** One side and where its code comes from. */
export interface Origin {
	readonly side: Side;
	readonly source: Source;
	/** What messages call it where nothing is compared with it. */
	readonly name?: string;
}

/** Returns whether the code of both sides runs as somebody else than we. */
export function isIsolated({ isolation }: Pick<PrepareContext, 'isolation'>): boolean {
	return isolation !== undefined && isolation.level !== 'none';
}

/** Returns whether builds run as the side's user, and not as we do. */
export function buildsApart({ isolation, config }: Pick<Session, 'isolation' | 'config'>): boolean {
	return isIsolated({ ...(isolation && { isolation }) }) && config.prepareAs !== 'runner';
}

/** Returns how messages name the side: `head (main)`, `base (1a2b3c4)`. */
export function nameOrigin({ side, source, name }: Origin): string {
	return name ?? `${side} (${isFullHash(source.revision.replace(/^git:/, '')) ? source.label : source.revision})`;
}
