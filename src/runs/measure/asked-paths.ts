/** Servers of a ranking are told what they will be asked (decision 0061). */
import { requestsOf, type Scenario, type ServerSpec } from '../../types/config.ts';
import type { PreparedServer } from '../../types/prepared.ts';

/** Variable in which servers/shared/asked-routes.mjs reads what a run asks. */
const VARIABLE = 'ASKED_PATHS';

/**
 * Returns the servers told what they will be asked, so that built-in ones with a router that tries one route after the other have no
 * others: the program of a published page has only its own.
 */
export function tellAskedPaths(
	prepared: ReadonlyMap<string, PreparedServer>,
	servers: readonly ServerSpec[],
	asked: readonly Scenario[],
): ReadonlyMap<string, PreparedServer> {
	const paths = [...new Set(asked.flatMap(pathsOf))].join(' ');
	const builtIn = new Set(servers.filter(({ kind }) => kind === 'built-in').map(({ name }) => name));
	return new Map(
		[...prepared].map(([name, server]) => [
			name,
			builtIn.has(name) ? { ...server, env: { ...server.env, [VARIABLE]: paths } } : server,
		]),
	);
}

function pathsOf(scenario: Scenario): string[] {
	const requests = [
		...requestsOf(scenario).map(({ request }) => request),
		...scenario.checks.map(({ request }) => request),
		...(scenario.learn ? [scenario.learn.request] : []),
	];
	return requests.map(({ path }) => path);
}
