import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { EXIT, UserError } from '../types/errors.ts';

/** Ports of five digits, for environments of equal length, and below ephemeral ports. */
export const FIRST_PORT = 20_000;
export const LAST_PORT = 29_999;
/** Programs look for local services here, and must not find the rival server. */
const WELL_KNOWN: ReadonlySet<number> = new Set([
	...[24_224, 25_672, 26_257, 26_379, 27_017, 27_018, 27_019, 28_015, 28_017, 29_015, 29_092],
]);
/** Most recent ports have no listener yet. */
const RECENT = 100;
const MOST_TRIES = 10_000;

const recent: number[] = [];

/**
 * Returns a random, and so unpredictable, free port on 127.0.0.1; the last hundred are not reused.
 *
 * @throws UserError `no-port` if all are taken.
 */
export async function findFreePort(draw = () => randomInt(FIRST_PORT, LAST_PORT + 1)): Promise<number> {
	for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
		const port = draw();
		if (WELL_KNOWN.has(port) || recent.includes(port)) continue;
		if (recent.push(port) > RECENT) recent.shift();
		if (await isFree(port)) return port;
	}
	throw new UserError({
		code: 'no-port',
		message: `nothing can listen on 127.0.0.1 between ${FIRST_PORT} and ${LAST_PORT}, because something does so on all of these ports`,
		remedy: 'see whether a measured server takes them (ss -ltnp), and end any other program that does',
		exitCode: EXIT.nothingMeasured,
	});
}

async function isFree(port: number): Promise<boolean> {
	const probe = createServer();
	try {
		// Probes all addresses: a server on 0.0.0.0 would answer in place of ours.
		probe.listen({ port, host: '0.0.0.0', exclusive: true });
		await once(probe, 'listening');
		return true;
	} catch {
		return false;
	} finally {
		probe.close();
	}
}

/** Whether all local ports are taken; a server cannot send this error. */
export function isOutOfPorts(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === 'EADDRNOTAVAIL';
}
