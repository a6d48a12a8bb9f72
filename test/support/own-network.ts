/** Runs a test file in its own network namespace, where it may take all ports or close any number of connections. */
import { spawnSync } from 'node:child_process';
import { asRoot } from './ordinary-user.ts';

const ENTERED = 'BENCHGATE_TEST_NETWORK';
const BEGIN = 'ip link set lo up && exec "$0" "$@"';

/**
 * Returns null inside such a namespace. Otherwise re-runs `file` inside and exits with its result, or returns why this
 * is impossible.
 */
export function enterOwnNetwork(file: string): string | null {
	if (process.env[ENTERED] !== undefined) return null;
	const enter = (script: string, args: readonly string[], env: NodeJS.ProcessEnv) => {
		const [program = '', ...rest] = asRoot(['unshare', '--net', '--', '/bin/sh', '-c', script, ...args]);
		return spawnSync(program, rest, { stdio: 'inherit', env });
	};
	if (process.getuid?.() !== 0) return 'only root can make a network of its own for the test';
	const tried = enter('ip link set lo up 2>/dev/null', [], process.env);
	if (tried.status !== 0) return 'no network of its own can be made here';
	const { status } = enter(BEGIN, [process.execPath, ...process.execArgv, file], { ...process.env, [ENTERED]: '1' });
	process.exit(status ?? 1);
}
