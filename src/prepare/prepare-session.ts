import type { Config } from '../types/config.ts';
import { UserError } from '../types/errors.ts';
import { buildEnvironment } from './build-environment.ts';
import { runChild } from './child.ts';
import type { PrepareContext, Session } from './prepare-context.ts';

/** Returns the session: the context, the environment of builds, and what the chosen Node says about itself. */
export async function openSession(config: Config, context: PrepareContext): Promise<Session> {
	const environment = buildEnvironment(context);
	const script = 'const {versions, platform, arch} = process; console.log(versions.node.split(".")[0], platform, arch)';
	const outcome = await runChild({ ...context, environment }, [context.node, '-e', script], { cwd: context.cacheDir });
	if (!outcome.succeeded) {
		throw new UserError({
			code: 'no-node',
			where: context.node,
			message: `that is not a Node binary that runs here (${outcome.ending})`,
			remedy: 'give the path of a Node binary with --node',
		});
	}
	return { ...context, config, environment, platform: outcome.stdout.trim() };
}
