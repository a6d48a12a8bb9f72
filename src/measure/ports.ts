import { once } from 'node:events';
import { createServer } from 'node:net';

/** Five digits each, so both sides' environments have equal length, and below the range clients' own ports come from. */
const FIRST = 20_000;
const COUNT = 10_000;
/** Processes that start together have ids close to one another: a golden section of the range apart, their ports are not. */
const STRIDE = 6_181;

let next = firstPortOf(process.pid);

/** Where the process `pid` begins to look, so that runs side by side do not walk over the same ports. */
export function firstPortOf(pid: number): number {
	return FIRST + ((pid * STRIDE) % COUNT);
}

/** Returns a port on 127.0.0.1 that nothing listens on at this moment; each call gives another one. */
export async function findFreePort(): Promise<number> {
	for (let attempt = 0; attempt < COUNT; attempt++) {
		const port = FIRST + ((next++ - FIRST) % COUNT);
		if (await isFree(port)) return port;
	}
	throw new Error(`no free port between ${FIRST} and ${FIRST + COUNT - 1}`);
}

async function isFree(port: number): Promise<boolean> {
	const probe = createServer();
	try {
		// Also on all addresses: a server there would answer in place of ours.
		probe.listen({ port, host: '0.0.0.0', exclusive: true });
		await once(probe, 'listening');
		return true;
	} catch {
		return false;
	} finally {
		probe.close();
	}
}
