/** Whether answers may come compressed. */
import { type HttpRequest, requestsOf, type Scenario } from '../../types/config.ts';

const PLAIN = /^\s*identity\s*$/i;

/** Returns whether a request asks for a compressed answer, whose body is then not compared as it comes. */
export function isCompressing({ headers }: Pick<HttpRequest, 'headers'>): boolean {
	return Object.entries(headers).some(
		([name, value]) => name.toLowerCase() === 'accept-encoding' && !PLAIN.test(value),
	);
}

/** Returns whether any request of a scenario does. */
export function asksForCompression(scenario: Pick<Scenario, 'request' | 'expect' | 'mix'>): boolean {
	return requestsOf(scenario).some(({ request }) => isCompressing(request));
}
