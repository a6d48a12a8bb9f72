/** Preload (`--import`) that injects the effect named by the variable. An invalid one ends the process. */

import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { createEffect, type Effect } from './effects.ts';
import { INJECTION_VARIABLE, parseInjection } from './injection.ts';

type Emit = (this: Server, event: string | symbol, ...args: unknown[]) => boolean;

const text = process.env[INJECTION_VARIABLE];
if (text !== undefined) {
	try {
		hookRequests(createEffect(parseInjection(text)));
	} catch (error) {
		process.stderr.write(`${(error as Error).message}\n`);
		process.exit(2);
	}
}

/**
 * Runs `effect` before the server's listeners, through an event that all frameworks use, so their code stays untouched.
 */
function hookRequests(effect: Effect): void {
	const prototype = Server.prototype as unknown as { emit: Emit };
	const { emit } = prototype;
	prototype.emit = function (event, ...args) {
		if (event !== 'request') return emit.call(this, event, ...args);
		const [request, response] = args as [IncomingMessage, ServerResponse];
		effect(() => emit.call(this, 'request', request, response), request, response);
		return true;
	};
}
