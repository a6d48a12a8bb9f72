import { type EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { noteOwn } from '../connections/own-connections.ts';

const ANSWER_MS = 2_000;

/** Returns the protocol at a local port if it is not plain HTTP/1.1, else null. Takes at most four seconds. */
export async function findProtocol(port: number): Promise<string | null> {
	if (await speaksTls(port)) return 'HTTPS (TLS)';
	return (await speaksHttp2(port)) ? 'HTTP/2' : null;
}

async function speaksTls(port: number): Promise<boolean> {
	// Few commands need it.
	const { connect: openTls } = await import('node:tls');
	const socket = openTls({ socket: connectTo(port), rejectUnauthorized: false, ALPNProtocols: ['h2', 'http/1.1'] });
	return opens(socket, 'secureConnect');
}

async function speaksHttp2(port: number): Promise<boolean> {
	const { connect: openSession } = await import('node:http2');
	const session = openSession(`http://127.0.0.1:${port}`, { createConnection: () => connectTo(port) });
	return opens(session, 'remoteSettings');
}

function connectTo(port: number) {
	const socket = connect({ host: '127.0.0.1', port });
	noteOwn(socket, port);
	return socket.on('error', () => {});
}

async function opens(connection: EventEmitter & { destroy(): void }, event: string): Promise<boolean> {
	connection.on('error', () => {});
	try {
		const closed = once(connection, 'close').then(() => false);
		const opened = once(connection, event, { signal: AbortSignal.timeout(ANSWER_MS) }).then(() => true);
		return await Promise.race([opened, closed]);
	} catch {
		return false;
	} finally {
		connection.destroy();
	}
}
