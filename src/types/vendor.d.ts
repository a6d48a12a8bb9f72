/** Types that packages, and the types of Node, lack. */

/** Node's own types refer to these classes but lack their constructors. */
declare namespace WebAssembly {
	class Module {
		constructor(bytes: Uint8Array);
	}
	class Instance {
		constructor(module: Module);
		readonly exports: Readonly<Record<string, unknown>>;
	}
}

/** The functions of semver that benchgate uses. */
declare module 'semver/functions/satisfies.js' {
	/** Whether a version is in a range; false if the range is malformed. */
	export default function satisfies(
		version: string,
		range: string,
		options?: { readonly includePrerelease?: boolean },
	): boolean;
}
declare module 'semver/ranges/valid.js' {
	/** Returns the range in its shortest form, null if it is malformed. */
	export default function validRange(range: string): string | null;
}

declare module 'semver/functions/valid.js' {
	export default function valid(version: string): string | null;
}

declare module 'semver/ranges/max-satisfying.js' {
	export default function maxSatisfying(versions: readonly string[], range: string): string | null;
}

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
