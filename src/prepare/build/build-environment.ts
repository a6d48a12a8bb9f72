/** Environment of builds. */
import { delimiter, dirname } from 'node:path';
import { scrubEnvironment } from '../../process/environment.ts';
import type { PrepareContext } from '../prepare-context.ts';

/**
 * A surrounding git hook or package script sets these variables. They would point children at the user's own checkout.
 */
const SURROUNDING =
	/^(GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|PREFIX|NAMESPACE)|INIT_CWD|NODE_ENV|npm_(lifecycle|package|command|execpath|node_execpath|config_(local_prefix|global_prefix|user_agent)).*)$/;

const FIXED = {
	/** Husky would write hooks into git settings shared with the user's checkout. */
	HUSKY: '0',
	COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
	GIT_TERMINAL_PROMPT: '0',
	YARN_ENABLE_TELEMETRY: '0',
	npm_config_audit: 'false',
	npm_config_fund: 'false',
	npm_config_update_notifier: 'false',
	// Daemons would run beside the measurement. Other daemons are ended later.
	NX_DAEMON: 'false',
	TURBO_DAEMON: 'false',
	// Remote artifacts may differ from the revision.
	NX_NO_CLOUD: 'true',
	// Turborepo shares its cache among worktrees.
	TURBO_CACHE_DIR: '.turbo/cache',
	MSBUILDDISABLENODEREUSE: '1',
};
const NO_GRADLE_DAEMON = '-Dorg.gradle.daemon=false';
/** After a build its files are ours, so a later one could not link them. */
const BUN_COPIES = '--backend=copyfile';

/** With npm's default pauses, a network error appears over a minute later. */
const DEFAULTS = { npm_config_fetch_retry_mintimeout: '1000', npm_config_fetch_retry_maxtimeout: '5000' };

/** Puts the chosen Node first on PATH, and adds the run's mark. */
export function buildEnvironment(context: Pick<PrepareContext, 'node' | 'janitor'>): Record<string, string> {
	const inherited = Object.entries(scrubEnvironment(process.env, 'build')).filter(([name]) => !SURROUNDING.test(name));
	return {
		...DEFAULTS,
		...Object.fromEntries(inherited),
		...FIXED,
		GRADLE_OPTS: withOption(process.env.GRADLE_OPTS, NO_GRADLE_DAEMON),
		BUN_OPTIONS: withOption(process.env.BUN_OPTIONS, BUN_COPIES),
		PATH: `${dirname(context.node)}${delimiter}${process.env.PATH ?? ''}`,
		[context.janitor.marker.name]: context.janitor.marker.value,
	};
}

function withOption(given: string | undefined, option: string): string {
	return given === undefined ? option : `${given} ${option}`;
}
