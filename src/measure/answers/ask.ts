import { isUtf8 } from 'node:buffer';
import { type IncomingMessage, request as openRequest } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { type HttpRequest, requestsOf, type Scenario } from '../../types/config.ts';
import { noteOwn } from '../connections/own-connections.ts';
import { isOutOfPorts } from '../ports.ts';
import type { Answer } from './answer.ts';

const PLAIN = /^\s*identity\s*$/i;

/** Largest body, received or decompressed. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** The message is a phrase for a fault. */
export class NoAnswer extends Error {
	/** The answer began but did not end, like a stream. */
	readonly isEndless: boolean;
	constructor(message: string, { cause, isEndless = false }: { cause?: unknown; isEndless?: boolean } = {}) {
		super(message, { cause });
		this.isEndless = isEndless;
	}

	/** Nothing was sent, because no local port was left. */
	get isUnasked(): boolean {
		return isOutOfPorts(this.cause);
	}
}

type Decode = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const DECODERS: Readonly<Record<string, Decode>> = {
	gzip: promisify<Buffer, object, Buffer>(gunzip),
	'x-gzip': promisify<Buffer, object, Buffer>(gunzip),
	deflate: promisify<Buffer, object, Buffer>(inflate),
	br: promisify<Buffer, object, Buffer>(brotliDecompress),
	identity: async (body) => body,
};

/**
 * Sends a request on its own connection and returns the decompressed answer, whatever its status. Throws `NoAnswer` if
 * it is incomplete after `timeoutMs`, fails, is over 8 MiB or cannot be decompressed. Follows no redirects.
 */
export async function ask(origin: string, request: HttpRequest, { timeoutMs }: { timeoutMs: number }): Promise<Answer> {
	const signal = AbortSignal.timeout(timeoutMs);
	let response: IncomingMessage | undefined;
	try {
		response = await send(origin, request, signal);
		const received = await readBody(response);
		// Node takes the close after our time-out for the end of a body without a length.
		signal.throwIfAborted();
		const body = await decode(received, response.headers['content-encoding']);
		return {
			status: response.statusCode ?? 0,
			headers: joinHeaders(response.headers),
			body: body.toString(isUtf8(body) ? 'utf8' : 'latin1'),
			bytes: body.length,
			wireBytes: received.length,
			repeated: Object.entries(response.headersDistinct).flatMap(([name, lines = []]) =>
				lines.length > 1 ? [name] : [],
			),
			...(response.headers['set-cookie'] && { cookies: response.headers['set-cookie'] }),
		};
	} catch (error) {
		if (error instanceof NoAnswer) throw error;
		if (!signal.aborted) throw new NoAnswer(explain(error), { cause: error });
		const isEndless = response !== undefined;
		const began = isEndless ? ', only the beginning of one' : '';
		throw new NoAnswer(`no complete answer within ${timeoutMs / 1000} s${began}`, { cause: error, isEndless });
	}
}

function send(origin: string, request: HttpRequest, signal: AbortSignal): Promise<IncomingMessage> {
	const { hostname, port } = new URL(origin);
	const { method, headers, path } = request;
	return new Promise((resolve, reject) => {
		// The path is sent as written: a URL object would normalise it.
		const outgoing = openRequest({ hostname, port, path, method, headers, agent: false, signal }, resolve);
		outgoing.once('socket', (socket) => noteOwn(socket, Number(port)));
		outgoing.once('error', reject);
		outgoing.end(request.body);
	});
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of response as AsyncIterable<Buffer>) {
		bytes += chunk.length;
		if (bytes > MAX_BODY_BYTES) throw new NoAnswer('the body is larger than 8 MiB');
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

/** Throws `NoAnswer` if the body is invalid or over 8 MiB. */
export async function decode(body: Buffer, encodings = ''): Promise<Buffer> {
	// Answers with 204 or 304, or to HEAD, may name an encoding without a body.
	if (body.length === 0) return body;
	let decoded = body;
	const names = encodings.split(',').map((name) => name.trim().toLowerCase());
	for (const name of names.filter(Boolean).reverse()) {
		const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
		if (!decoder) throw new NoAnswer(`the body has the unknown content-encoding ${JSON.stringify(name)}`);
		decoded = await decoder(decoded, { maxOutputLength: MAX_BODY_BYTES }).catch((error: unknown) => {
			const why =
				codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? 'is larger than 8 MiB after decompression' : `is not valid ${name}`;
			throw new NoAnswer(`the body ${why}`, { cause: error });
		});
	}
	return decoded;
}

function joinHeaders(headers: IncomingMessage['headers']): Record<string, string> {
	const present = Object.entries(headers).filter(([, value]) => value !== undefined);
	return Object.fromEntries(
		present.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
	);
}

function explain(error: unknown): string {
	const code = codeOf(error);
	if (code === 'ECONNREFUSED') return 'the connection was refused';
	if (code === 'ECONNRESET' || code === 'EPIPE') return 'the connection was closed before the answer was complete';
	if (isOutOfPorts(error)) return 'no port was left on this machine for a connection to it';
	const message = error instanceof Error ? error.message : String(error);
	if (code.startsWith('HPE_')) return `the answer is not valid HTTP (${message})`;
	return `the request failed (${message})`;
}

function codeOf(error: unknown): string {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	return typeof code === 'string' ? code : '';
}

export function isCompressing({ headers }: Pick<HttpRequest, 'headers'>): boolean {
	return Object.entries(headers).some(
		([name, value]) => name.toLowerCase() === 'accept-encoding' && !PLAIN.test(value),
	);
}

export function asksForCompression(scenario: Pick<Scenario, 'request' | 'expect' | 'mix'>): boolean {
	return requestsOf(scenario).some(({ request }) => isCompressing(request));
}
