/** Pikku's answer, for a host to send: `statusCode`, `headers` by lower-case name, and `body`, undefined when empty. */
export class HostResponse {
	statusCode = 200;
	headers = {};
	body = undefined;

	status(code) {
		this.statusCode = code;
		return this;
	}

	header(name, value) {
		this.headers[name.toLowerCase()] = value;
		return this;
	}

	json(document) {
		this.body = JSON.stringify(document);
		return this.header('content-type', 'application/json');
	}

	send(body) {
		this.body = body;
		return this;
	}

	arrayBuffer(data) {
		this.body = Buffer.from(data);
		return this.header('content-type', 'application/octet-stream');
	}

	redirect(location, status = 302) {
		return this.status(status).header('location', location);
	}

	cookie() {
		throw new Error('these servers set no cookies');
	}
}
