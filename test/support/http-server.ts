import { once } from 'node:events';
import { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';

/** Returns the server listening on a port of its own on 127.0.0.1, closed with all its connections at the end of the scope. */
export async function listen(server: Server): Promise<AsyncDisposable & { readonly origin: string }> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async [Symbol.asyncDispose]() {
			const closed = once(server, 'close');
			server.close();
			if (server instanceof HttpServer) server.closeAllConnections();
			await closed;
		},
	};
}

/** Returns a port on 127.0.0.1 that the system gave out a moment ago: test files that run at the same time get different ones. */
export async function pickPort(): Promise<number> {
	await using server = await listen(createServer());
	return Number(new URL(server.origin).port);
}
