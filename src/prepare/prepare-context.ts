import type { Config, ServerSpec } from '../types/config.ts';
import type { Isolation } from '../types/isolation.ts';
import type { Janitor, Progress } from '../types/run-services.ts';
import type { Runtime } from '../types/runtime.ts';
import { isFullHash } from '../types/shared-names.ts';
import type { Side, Sides, Warning } from '../types/units.ts';
import type { Source } from './revision/source.ts';

export interface PrepareContext {
	/** User's folder: base of relative revisions, git repository and npm settings. */
	readonly cwd: string;
	/** Contains `servers/`. */
	readonly toolRoot: string;
	readonly cacheFolder: string;
	/** Node that runs builds and servers. */
	readonly node: string;
	/** Default: `node`. */
	readonly runtimes?: Sides<Runtime>;
	/** Command or path; `npm` by default. */
	readonly npm?: string;
	readonly janitor: Janitor;
	readonly progress: Progress;
	readonly signal: AbortSignal;
	/** Commit or folder of the bench servers; by default the files around `cwd`. */
	readonly harnessFrom?: string;
	/** Custom servers that both sides may lack, because the config is newer. */
	readonly newServers?: readonly string[];
	/** Servers of the same comparison on other machines. Perhaps only these use the subject. */
	readonly elsewhere?: readonly ServerSpec[];
	/** Default: our own user. */
	readonly isolation?: Pick<Isolation, 'level' | 'sides' | 'hide' | 'reclaim' | 'shareCaches'>;
	/** Names in reports, if the caller knows better ones. */
	readonly labels?: Partial<Sides<string>>;
	/** Variables removed from our environment because they may hold secrets. */
	readonly withheld?: readonly string[];
}

export interface Session extends PrepareContext {
	/** All variables withheld from builds because they may hold secrets. */
	readonly withheld: readonly string[];
	readonly warnings: Warning[];
	/** Sides whose own users ran something, and may have downloaded files. */
	readonly ranApart: Set<Side>;
	readonly config: Config;
	/** Scrubbed variables for every child. */
	readonly environment: Readonly<Record<string, string>>;
	/** Version of the Node that builds and serves: `24.1.0`. */
	readonly nodeVersion: string;
	/** Node major, platform and architecture; in every key, for native code. */
	readonly platform: string;
	/** Program that starts built-in servers; absolute; default `node`. */
	readonly program?: string;
	/** Overrides for one side; see `sessionOf`. */
	readonly own?: Sides<Partial<Session>>;
}

/** A side may have its own Node. */
export function sessionOf(session: Session, side: Side): Session {
	return { ...session, ...session.own?.[side] };
}

/** Returns a step's time limit (ms). */
export function longestStep({ config }: Pick<Session, 'config'>): number {
	return config.prepareTimeoutSeconds * 1000;
}

export const WRONG_NODE = 'wrong-node';

export interface Origin {
	readonly side: Side;
	readonly source: Source;
	/** Name in messages without a comparison. */
	readonly name?: string;
}

export function isIsolated({ isolation }: Pick<PrepareContext, 'isolation'>): boolean {
	return isolation !== undefined && isolation.level !== 'none';
}

/** Whether builds run isolated too. */
export function buildsApart({ isolation, config }: Pick<Session, 'isolation' | 'config'>): boolean {
	return isIsolated({ ...(isolation && { isolation }) }) && config.prepareAs !== 'runner';
}

/** Names a side in messages: `head (main)`, `base (1a2b3c4)`. */
export function nameOrigin({ side, source, name }: Origin): string {
	return name ?? `${side} (${isFullHash(source.revision.replace(/^git:/, '')) ? source.label : source.revision})`;
}
