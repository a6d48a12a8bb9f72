/**
 * Two single-threaded servers on one CPU that query one database on another, each behind a closed loop of connections,
 * in a duet and alone. A request computes, sends its queries one after the other, computes again, and is answered. Both
 * the servers' CPU and the database's are shared evenly, as the kernel shares them between processes. Times are
 * exponentially distributed.
 */
import { createRandom, type Random } from '../../../src/stats/random.ts';
import { SIDES, type Side, type Sides } from '../../../src/types/units.ts';

export interface AskingServer {
	/** Milliseconds of the servers' CPU that a request takes, asking and reading answers included. */
	readonly service: number;
	/** Milliseconds of the database's CPU that each of its queries takes. */
	readonly queries: readonly number[];
}

export interface Sharing {
	readonly servers: Sides<AskingServer>;
	readonly connections: number;
	/** CPUs the database may use; a query is at work on one at a time. */
	readonly databaseCpus: number;
}

/** Simulated milliseconds, and those before counting starts. */
const LENGTH = 1_500;
const UNCOUNTED = 300;

/** A request: its current step, and the rest of that step. Step 0 and the last one compute, the others query. */
interface Request {
	readonly side: Side;
	step: number;
	left: number;
}

/** Returns answers per millisecond of each side, 0 for one without load, and the used share of the database's CPUs. */
export function simulateSharing(
	setting: Sharing,
	sides: readonly Side[],
	seed: number,
): { readonly rates: Sides<number>; readonly database: number } {
	const random: Sides<Random> = { base: createRandom(seed, 0), head: createRandom(seed, 1) };
	const lastOf = (side: Side) => setting.servers[side].queries.length + 1;
	const draw = (side: Side, step: number) => {
		const { service, queries } = setting.servers[side];
		return -Math.log1p(-random[side].next()) * (queries[step - 1] ?? service / 2);
	};
	const computing: Sides<Request[]> = { base: [], head: [] };
	let asking: Request[] = [];
	for (const side of sides)
		for (let at = 0; at < setting.connections; at++) computing[side].push({ side, step: 0, left: draw(side, 0) });
	const answers = { base: 0, head: 0 };
	let [now, used] = [0, 0];
	while (now < LENGTH) {
		const wanting = SIDES.filter((side) => computing[side].length > 0);
		const speed = 1 / wanting.length;
		const querySpeed = Math.min(1, setting.databaseCpus / asking.length);
		const running = wanting.map((side) => computing[side][0] as Request);
		const step = Math.min(...running.map(({ left }) => left / speed), ...asking.map(({ left }) => left / querySpeed));
		now += step;
		if (now > UNCOUNTED) used += step * Math.min(asking.length, setting.databaseCpus);
		for (const request of running) request.left -= step * speed;
		for (const request of asking) request.left -= step * querySpeed;
		const done = [...running, ...asking].filter(({ left }) => left <= 1e-9);
		asking = asking.filter(({ left }) => left > 1e-9);
		for (const request of done) {
			const { side } = request;
			if (computing[side][0] === request) computing[side].shift();
			if (request.step === lastOf(side)) {
				if (now > UNCOUNTED) answers[side]++;
				request.step = 0;
			} else request.step++;
			request.left = draw(side, request.step);
			if (request.step === 0 || request.step === lastOf(side)) computing[side].push(request);
			else asking.push(request);
		}
	}
	const time = LENGTH - UNCOUNTED;
	return {
		rates: { base: answers.base / time, head: answers.head / time },
		database: used / time / setting.databaseCpus,
	};
}

/**
 * Log ratio of head's throughput to base's in a duet, and alone; with the share of the database's CPUs that the duet
 * used.
 */
export function compareSharing(setting: Sharing, seed: number): { duet: number; alone: number; database: number } {
	const { rates, database } = simulateSharing(setting, SIDES, seed);
	const rateOf = (side: Side) => simulateSharing(setting, [side], seed).rates[side];
	return {
		duet: Math.log(rates.head / rates.base),
		alone: Math.log(rateOf('head') / rateOf('base')),
		database,
	};
}
