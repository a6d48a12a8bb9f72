import type { Scenario } from '../../types/config.ts';

/** Returns whether a scenario's request asks for a compressed answer, whose body is then not compared as it comes. */
export function asksForCompression({ request }: Pick<Scenario, 'request'>): boolean {
	return Object.keys(request.headers).some((name) => name.toLowerCase() === 'accept-encoding');
}
