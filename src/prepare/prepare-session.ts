import { mkdir, realpath } from 'node:fs/promises';
import { QUESTION_MS } from '../process/deadline.ts';
import { findWithheld } from '../process/environment.ts';
import { isOwnNode } from '../process/programs.ts';
import type { Config } from '../types/config.ts';
import { UserError } from '../types/errors.ts';
import type { Runtime } from '../types/runtime.ts';
import { buildEnvironment } from './build/build-environment.ts';
import { explainSystemError } from './build/build-failure.ts';
import { pruneCache } from './cache.ts';
import { type ChildContext, runChild } from './child.ts';
import { buildsApart, type PrepareContext, type Session } from './prepare-context.ts';

/**
 * Creates and prunes the cache, then runs `work` in a session. Throws the reason of an abort, and UserError for system
 * errors (full disk, missing permission).
 */
export async function inSession<T>(
	config: Config,
	context: PrepareContext,
	work: (session: Session) => Promise<T>,
): Promise<T> {
	try {
		await mkdir(context.cacheFolder, { recursive: true });
		const cacheFolder = await realpath(context.cacheFolder);
		const inCache = { ...context, cacheFolder };
		await pruneCache(inCache);
		return await work(await openSession(config, inCache));
	} catch (error) {
		context.signal.throwIfAborted();
		throw explainSystemError(error, context.cacheFolder);
	}
}

async function openSession(config: Config, context: PrepareContext): Promise<Session> {
	const environment = buildEnvironment(context);
	const { nodeVersion, machine } = isOwnNode(context.node)
		? describeNode(process)
		: await askNode({ ...context, environment });
	const withheld = [...new Set([...(context.withheld ?? []), ...findWithheld(process.env)])];
	// An isolated run must not reuse builds that ran without isolation.
	const apart = buildsApart({ ...context, config }) ? ` ${context.isolation?.level}` : '';
	const platformOf = (version: string) => `${version.split('.')[0]} ${machine}${apart}`;
	const ownOf = (runtime: Runtime) => ({ program: runtime.node, ...(runtime.name === 'node' && nodeOf(runtime)) });
	// Only for Node, on which native code depends. For Bun and Deno, the Node at hand installs.
	const nodeOf = ({ node, version }: Runtime) => ({
		node,
		environment: buildEnvironment({ ...context, node }),
		nodeVersion: version,
		platform: platformOf(version),
	});
	const { base, head } = context.runtimes ?? {};
	const sideRuntimes = base && head && { own: { base: ownOf(base), head: ownOf(head) } };
	const platform = platformOf(nodeVersion);
	return {
		...context,
		config,
		environment,
		withheld,
		warnings: [],
		ranApart: new Set(),
		nodeVersion,
		platform,
		...sideRuntimes,
	};
}

interface NodeFacts {
	readonly nodeVersion: string;
	readonly machine: string;
}

function describeNode({ versions, platform, arch }: Pick<NodeJS.Process, 'versions' | 'platform' | 'arch'>): NodeFacts {
	return { nodeVersion: versions.node, machine: `${platform} ${arch}` };
}

async function askNode(context: PrepareContext & ChildContext): Promise<NodeFacts> {
	const script = 'const {versions, platform, arch} = process; console.log(versions.node, platform, arch)';
	const outcome = await runChild(context, [context.node, '-e', script], {
		cwd: context.cacheFolder,
		timeoutMs: QUESTION_MS,
	});
	if (outcome.succeeded) {
		const [nodeVersion = '', ...machine] = outcome.stdout.trim().split(' ');
		return { nodeVersion, machine: machine.join(' ') };
	}
	throw new UserError({
		code: 'no-node',
		where: context.node,
		message: `that is not a Node binary that runs here (${outcome.ending})`,
		remedy: 'give the path of a Node binary with --node',
	});
}
