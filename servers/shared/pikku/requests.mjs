const WITHOUT_BODY = new Set(['get', 'head', 'options', 'delete']);

/** Returns the two kinds of request that bridges create, with the classes of the installed Pikku. */
export function makeRequests({ http, errors }) {
	/** A web request, read by Pikku itself. Invalid JSON is a bad request, as on the other servers. */
	class WebRequest extends http.PikkuFetchHTTPRequest {
		async data() {
			try {
				return await super.data();
			} catch (error) {
				throw /^Error parsing body/.test(error.message) ? new errors.BadRequestError() : error;
			}
		}
	}

	/** A request that its host has read: `{ method, path, headers, query, readBody }`, the last two functions. */
	class HostRequest {
		#host;
		#params = {};

		constructor(host) {
			this.#host = host;
		}

		method() {
			return this.#host.method.toLowerCase();
		}

		path() {
			return this.#host.path;
		}

		headers() {
			return this.#host.headers;
		}

		header(name) {
			return this.#host.headers[name.toLowerCase()] ?? null;
		}

		cookie() {
			return null;
		}

		params() {
			return this.#params;
		}

		setParams(params) {
			this.#params = params;
		}

		query() {
			return this.#host.query();
		}

		async json() {
			try {
				return await this.#host.readBody();
			} catch {
				throw new errors.BadRequestError();
			}
		}

		async arrayBuffer() {
			return new TextEncoder().encode(JSON.stringify(await this.json())).buffer;
		}

		/** Input of a function: parameters, query and body in one. */
		async data() {
			const body = WITHOUT_BODY.has(this.method()) ? {} : await this.json();
			return { ...body, ...this.query(), ...this.#params };
		}
	}

	return { WebRequest, HostRequest };
}
