import { Agent, request as openRequest } from 'node:http';
import { fillRequest } from '../../text/placeholders.ts';
import { type HttpRequest, requestsOf } from '../../types/config.ts';
import type { Side } from '../../types/units.ts';
import { ANSWER_TIMEOUT_MS } from '../answers/verify-scenario.ts';
import { TurnFailed } from '../generator-process.ts';
import type { Probed } from './run-probed.ts';

export interface InTurn {
	/** Sends the next `count` requests. Returns how many got a wrong status. Throws TurnFailed without a complete answer. */
	send(count: number): Promise<number>;
	close(): void;
}

/** Sends the requests of a scenario over one connection, always in the same order. */
export function openInTurn(
	{ server, scenario, traffic, verified }: Pick<Probed, 'server' | 'scenario' | 'traffic' | 'verified'>,
	side: Side,
	signal: AbortSignal,
): InTurn {
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	const requests = (verified.mix ?? [verified]).map(({ request }) => request[side]);
	const statuses = requestsOf(scenario).map(({ expect }) => expect.status);
	let at = 0;
	const next = (): { readonly request: HttpRequest; readonly right: readonly number[] } => {
		const place = at++ % (traffic?.requests.length ?? 1);
		const index = traffic?.requests[place] ?? 0;
		const row = traffic?.data[traffic.rows[place] ?? -1];
		const request = requests[index] as HttpRequest;
		return { request: row ? fillRequest(request, row) : request, right: statuses[index] ?? [] };
	};
	return {
		async send(count) {
			let wrong = 0;
			for (let sent = 0; sent < count; sent++) {
				signal.throwIfAborted();
				const { request, right } = next();
				if (!right.includes(await exchange(server.origin, request, agent))) wrong++;
			}
			return wrong;
		},
		close: () => agent.destroy(),
	};
}

/** The status. */
function exchange(origin: string, { method, path, headers, body }: HttpRequest, agent: Agent): Promise<number> {
	const { hostname, port } = new URL(origin);
	return new Promise((resolve, reject) => {
		const fail = (error: Error) => reject(new TurnFailed(`a request was not answered (${error.message})`));
		const outgoing = openRequest({ hostname, port, path, method, headers, agent, timeout: ANSWER_TIMEOUT_MS });
		outgoing.once('response', (response) => {
			response.once('end', () => resolve(response.statusCode ?? 0));
			response.once('error', fail);
			response.resume();
		});
		outgoing.once('timeout', () => outgoing.destroy(new Error(`${ANSWER_TIMEOUT_MS / 1000} s passed`)));
		outgoing.once('error', fail);
		outgoing.end(body);
	});
}
