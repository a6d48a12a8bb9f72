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
			readonly verifyBody: (body: string) => boolean;
		}
		/** Of http-parser-js: callbacks stand under numbers that its class names. */
		interface Parser {
			readonly constructor: { readonly kOnHeadersComplete: number };
			[callback: number]:
				| ((head: { readonly statusCode: number; readonly shouldKeepAlive?: boolean }) => unknown)
				| undefined;
		}
		interface Connection {
			_connect(): void;
			readonly conn: { readonly localPort?: number };
			readonly pipelinedRequests: { clear(): void; size(): number; peek(): { readonly req: unknown } | undefined };
			requestIterator: RequestIterator;
			on(event: 'connError', listener: () => void): void;
			readonly parser: Parser;
		}
		/** Gives a connection its requests: the current one, and after the first is sent always the next. */
		interface RequestIterator {
			readonly resetted: boolean;
			currentRequest: { readonly requestBuffer: Buffer };
			nextRequest(): void;
			/** Told of each answer before it is told as `response`. */
			recordBody(request: unknown): void;
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
	/** Returns what writes a request to `hostname` and `port` as it goes over the wire. */
	export default function requestBuilder(defaults: {
		readonly hostname: string;
		readonly port: string;
	}): (request: Parts) => Buffer;
}
