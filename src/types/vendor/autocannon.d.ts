declare module 'autocannon/lib/init.js' {
	import type { EventEmitter } from 'node:events';

	namespace autocannon {
		interface Options {
			readonly url: string;
			readonly method: string;
			readonly headers: Record<string, string>;
			readonly body?: string;
			readonly connections: number;
			readonly pipelining: number;
			readonly duration: number;
			readonly sampleInt: number;
			readonly skipAggregateResult: boolean;
			readonly setupClient: (client: Connection) => void;
		}
		interface Connection {
			/** Opens a connection, the first time right after `setupClient`. */
			_connect(): void;
			_destroyConnection(): void;
			/** After this many milliseconds without a new request, the client reconnects. */
			timeout: number;
			readonly requestIterator: { readonly currentRequest: { readonly requestBuffer: Buffer } };
			/** A failed connection, and one whose requests were not answered in time. */
			emit(event: 'connError', error: Error): void;
			emit(event: 'timeout'): void;
		}
		interface Run extends EventEmitter, PromiseLike<unknown> {
			stop(): void;
		}
	}
	function autocannon(options: autocannon.Options): autocannon.Run;
	export default autocannon;
}

declare module 'autocannon/lib/httpRequestBuilder.js' {
	interface Parts {
		readonly method: string;
		readonly path: string;
		readonly headers: Record<string, string>;
		readonly body?: string;
	}
	/** Returns a function that writes the bytes of a request to `hostname` and `port`. */
	export default function requestBuilder(defaults: {
		readonly hostname: string;
		readonly port: string;
	}): (request: Parts) => Buffer;
}
