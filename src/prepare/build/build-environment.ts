/** The environment of builds: ours without secrets and without what surrounds us. */
import { delimiter, dirname } from 'node:path';
import { scrubEnvironment } from '../../process/environment.ts';
import type { PrepareContext } from '../prepare-context.ts';

/**
 * What a surrounding git hook or package script leaves behind: it would point a child at the user's own checkout or
 * package instead of the folder it is started in.
 */
const SURROUNDING =
	/^(GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|PREFIX|NAMESPACE)|INIT_CWD|NODE_ENV|npm_(lifecycle|package|command|execpath|node_execpath|config_(local_prefix|global_prefix|user_agent)).*)$/;

const FIXED = {
	/** Husky would write hooks into the configuration a worktree shares with the user's checkout. */
	HUSKY: '0',
	COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
	GIT_TERMINAL_PROMPT: '0',
	YARN_ENABLE_TELEMETRY: '0',
	npm_config_audit: 'false',
	npm_config_fund: 'false',
	npm_config_update_notifier: 'false',
	// Daemons of build tools would run beside the measurement; what stays all the same is ended.
	NX_DAEMON: 'false',
	TURBO_DAEMON: 'false',
	// What was built elsewhere is not what the revision holds.
	NX_NO_CLOUD: 'true',
	// Turborepo shares its cache among the worktrees of a repository: the user's checkout, and the other side.
	TURBO_CACHE_DIR: '.turbo/cache',
	MSBUILDDISABLENODEREUSE: '1',
};
const NO_GRADLE_DAEMON = '-Dorg.gradle.daemon=false';

/** Without a network npm's own pauses add up to more than a minute before it says so. */
const DEFAULTS = { npm_config_fetch_retry_mintimeout: '1000', npm_config_fetch_retry_maxtimeout: '5000' };

/** Returns the environment of every build: scrubbed, the chosen Node first on PATH, marked as the run's own. */
export function buildEnvironment(context: Pick<PrepareContext, 'node' | 'janitor'>): Record<string, string> {
	const inherited = Object.entries(scrubEnvironment(process.env, 'build')).filter(([name]) => !SURROUNDING.test(name));
	return {
		...DEFAULTS,
		...Object.fromEntries(inherited),
		...FIXED,
		GRADLE_OPTS: `${process.env.GRADLE_OPTS ?? ''} ${NO_GRADLE_DAEMON}`.trim(),
		PATH: `${dirname(context.node)}${delimiter}${process.env.PATH ?? ''}`,
		[context.janitor.marker.name]: context.janitor.marker.value,
	};
}
