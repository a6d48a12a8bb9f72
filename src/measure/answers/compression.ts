import { requestsOf, type Scenario } from '../../types/config.ts';

/** Returns whether a request of a scenario asks for a compressed answer, whose body is then not compared as it comes. */
export function asksForCompression(scenario: Pick<Scenario, 'request' | 'expect' | 'mix'>): boolean {
	return requestsOf(scenario).some(({ request }) =>
		Object.keys(request.headers).some((name) => name.toLowerCase() === 'accept-encoding'),
	);
}
