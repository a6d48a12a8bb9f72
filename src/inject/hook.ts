import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import type { Effect } from './effects.ts';

type Emit = (this: Server, event: string | symbol, ...args: unknown[]) => boolean;

/**
 * Lets `effect` have every request of every `http.Server` of this process before the server's listeners do. Frameworks are
 * not touched: all of them get their requests through the server's event.
 */
export function hookRequests(effect: Effect): void {
	const prototype = Server.prototype as unknown as { emit: Emit };
	const { emit } = prototype;
	prototype.emit = function (event, ...args) {
		if (event !== 'request') return emit.call(this, event, ...args);
		const [request, response] = args as [IncomingMessage, ServerResponse];
		effect(() => emit.call(this, 'request', request, response), request, response);
		return true;
	};
}
