/**
 * Common parts of the scenarios that show where time goes: a chain of three layers, many middlewares, many routes, a
 * log, and work of growing size.
 */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

export const GREETING = 'Hello, World!';
export const describeUser = (id) => `User: ${id}`;

/** The value of `X-Response-Time`; `startedAt` is a time of `performance.now()`. */
export const responseTime = (startedAt) => `${(performance.now() - startedAt).toFixed(3)}ms`;

/** The session that a second middleware makes of the first one's. */
export const renewSession = (session) => ({ ...session, renewed: true });
/** Whether a session may proceed: every renewed one may. */
export const isAllowed = (session) => session?.renewed === true;

/** Middlewares of the longest chain. */
export const LONG_CHAIN = 20;

/** Numbers of routes of the routers. */
export const ROUTE_COUNTS = [10, 100, 1000];
/** The routes of one router, in the order they are registered: each has a parameter behind its `prefix`. */
export const routesOf = (count) =>
	Array.from({ length: count }, (_, at) => ({ number: at + 1, prefix: `/routes-${count}/resource-${at + 1}/` }));
export const routeAnswer = (number, id) => ({ route: number, id });

/** Sizes of the work that a handler does: units of computing, and milliseconds of waiting. */
export const WORK_SIZES = [1, 10];
const UNIT = Buffer.alloc(32 * 1024);
/**
 * Computes for a number of units; its result proves the work. A hash, because V8 may run a loop of our own five times
 * as slowly.
 */
export function compute(units) {
	const hash = createHash('sha256');
	for (let left = units; left > 0; left -= 1) hash.update(UNIT);
	return { units, result: hash.digest().readUInt32BE() };
}
export async function waitFor(milliseconds) {
	await delay(milliseconds);
	return { waited: milliseconds };
}

const lines = new Array(1000).fill('');
let written = 0;
/** The stream of a logger: keeps the last lines in memory and never blocks, so that no disk or pipe is measured. */
export const logSink = {
	write(line) {
		lines[written++ % lines.length] = line;
		return true;
	},
};
/** Whether one of the stored lines contains the text. */
export const hasLogged = (text) => lines.some((line) => line.includes(text));
