import { once } from 'node:events';
import { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';

/**
 * Returns the server listening on its own port on 127.0.0.1, closed with all its connections at the end of the scope.
 */
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

/** Below the ports that the system assigns by itself; each process of tests has a hundred of its own. */
const PORTS = { first: 10_000, count: 10_000 };
const APART = 101;
let picked = process.pid * APART;

/** Returns a port on 127.0.0.1 that is free and that no other test file picks at the same time. */
export async function pickPort(): Promise<number> {
	const port = PORTS.first + (picked++ % PORTS.count);
	try {
		const server = createServer().listen(port, '127.0.0.1');
		await once(server, 'listening');
		server.close();
		await once(server, 'close');
		return port;
	} catch {
		return pickPort();
	}
}
