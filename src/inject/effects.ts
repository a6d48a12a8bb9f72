import { pbkdf2, pbkdf2Sync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Injection, InjectionKind } from './injection.ts';

/** An effect calls `dispatch` at once or later, or answers by itself. */
export type Effect = (dispatch: () => void, request: IncomingMessage, response: ServerResponse) => void;

/** Garbage of this many requests is kept, enough to outlive the young generation. */
const HELD = 256;
const OBJECTS_PER_KILOBYTE = 16;
const NUMBERS_PER_KILOBYTE = 128;

/** Units; about 35 µs. */
const SPIN_SAMPLE = 25_000;
/** Units; about 0.1 ms, because a call alone costs 10 µs. */
const HASH_SAMPLE = 400;

const MAKERS: Readonly<Record<InjectionKind, (injection: Injection) => Effect>> = {
	cpu: burnCpu,
	threadpool: burnInThreads,
	wait: waitOnTimer,
	lock: waitOnLock,
	allocation: makeGarbage,
	leak: leakMemory,
	wrong: answerWrongly,
};

export function createEffect(injection: Injection): Effect {
	return MAKERS[injection.kind](injection);
}

function burnCpu({ amount, every }: Injection): Effect {
	const spin = prepareSpin();
	const ration = createRation({ fraction: amount, every, sample: SPIN_SAMPLE });
	return (dispatch) => {
		const units = ration.next();
		const stop = ration.isTimed() ? startTiming() : null;
		if (units > 0) spin(units);
		if (stop) ration.learn(units, stop());
		dispatch();
	};
}

function burnInThreads({ amount, every }: Injection): Effect {
	const ration = createRation({ fraction: amount, every, sample: HASH_SAMPLE });
	return (dispatch) => {
		const units = ration.next();
		if (ration.isTimed()) {
			const stop = startTiming();
			pbkdf2Sync('benchgate', 'benchgate', units, 32, 'sha256');
			ration.learn(units, stop());
			dispatch();
		} else if (units > 0) pbkdf2('benchgate', 'benchgate', units, 32, 'sha256', dispatch);
		else dispatch();
	};
}

function waitOnTimer({ amount, every }: Injection): Effect {
	const isHit = oneIn(every);
	return (dispatch) => {
		if (isHit() && amount > 0) setTimeout(dispatch, amount);
		else dispatch();
	};
}

/** Blocks the thread without CPU time, like a contended lock, also for less than a millisecond. */
function waitOnLock({ amount, every }: Injection): Effect {
	const lock = new Int32Array(new SharedArrayBuffer(4));
	const isHit = oneIn(every);
	return (dispatch) => {
		if (isHit() && amount > 0) Atomics.wait(lock, 0, 0, amount);
		dispatch();
	};
}

function makeGarbage({ amount, every }: Injection): Effect {
	const objects = Math.round(amount * OBJECTS_PER_KILOBYTE);
	const held: object[] = [];
	const isHit = oneIn(every);
	let next = 0;
	return (dispatch) => {
		if (isHit()) {
			held[next] = Array.from({ length: objects }, (_, index) => ({ index, next, text: '', rest: null }));
			next = (next + 1) % HELD;
		}
		dispatch();
	};
}

function leakMemory({ amount, every }: Injection): Effect {
	const numbers = Math.round(amount * NUMBERS_PER_KILOBYTE);
	const leaked: number[][] = [];
	const isHit = oneIn(every);
	return (dispatch) => {
		if (isHit() && numbers > 0) leaked.push(new Array<number>(numbers).fill(leaked.length + 0.5));
		dispatch();
	};
}

function answerWrongly({ amount, every }: Injection): Effect {
	const isHit = oneIn(every);
	let owed = 0;
	return (dispatch, request, response) => {
		if (isHit()) owed += amount;
		// A rate like 0.1 is not exact in binary, but ten of them must make one.
		if (owed < 1 - 1e-9) return dispatch();
		owed -= 1;
		request.resume();
		response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":"injected"}');
	};
}

function oneIn(every: number): () => boolean {
	let turn = 0;
	return () => {
		turn = (turn + 1) % every;
		return turn === 0;
	};
}

/**
 * Work of constant cost per unit, in WebAssembly: a JavaScript loop changes speed between calls with the engine's
 * optimisations.
 */
const MULTIPLIER = 1_664_525;
const INCREMENT = 1_013_904_223;

const I32 = 0x7f;
const VOID = 0x40;
/** `spin(units, value)`: `units` dependent steps of value = value × multiplier + increment. */
const BODY = [
	...[0x02, VOID, 0x03, VOID], // block, loop
	...[0x20, 0, 0x45, 0x0d, 1], // leave the block when units is 0
	...[0x20, 1, 0x41, ...signedLeb(MULTIPLIER), 0x6c, 0x41, ...signedLeb(INCREMENT), 0x6a, 0x21, 1], // value
	...[0x20, 0, 0x41, 1, 0x6b, 0x21, 0], // one unit less
	...[0x0c, 0, 0x0b, 0x0b], // again
	...[0x20, 1, 0x0b], // return value
];
const NAME = [...Buffer.from('spin')];
const MODULE = [
	...Buffer.from('\0asm'),
	...[1, 0, 0, 0],
	...section(1, [1, 0x60, 2, I32, I32, 1, I32]), // one type: two numbers to one
	...section(3, [1, 0]), // one function of it
	...section(7, [1, NAME.length, ...NAME, 0, 0]),
	...section(10, [1, BODY.length + 1, 0, ...BODY]), // without locals
];

/** After this many calls, the engine has compiled the loop for good. */
const WARMING_CALLS = 200;
const WARMING_UNITS = 25_000;

/** A warm function that does the given number of units, about 1.5 ns each. */
function prepareSpin(): (units: number) => void {
	const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(MODULE)));
	const spin = exports.spin as (units: number, value: number) => number;
	let value = 1;
	const run = (units: number): void => {
		value = spin(units, value);
	};
	for (let call = 0; call < WARMING_CALLS; call++) run(WARMING_UNITS);
	return run;
}

function section(id: number, content: readonly number[]): number[] {
	return [id, content.length, ...content];
}

/** Signed LEB128, the encoding of WebAssembly constants. */
function signedLeb(constant: number): number[] {
	const bytes: number[] = [];
	for (let remainder = constant; ; ) {
		const byte = remainder & 0x7f;
		remainder >>= 7;
		const isLast = (remainder === 0 && (byte & 0x40) === 0) || (remainder === -1 && (byte & 0x40) !== 0);
		bytes.push(isLast ? byte : byte | 0x80);
		if (isLast) return bytes;
	}
}

interface Ration {
	/** Returns the units of work of a request; call once for each. */
	next(): number;
	/** Whether to time these units with `startTiming`. */
	isTimed(): boolean;
	learn(units: number, microseconds: number): void;
}

interface RationOptions {
	/** Fraction of a request's own CPU time, averaged over all requests. */
	readonly fraction: number;
	/** One request in this many does all the work. */
	readonly every: number;
	/** Units per timing, which take many times as long as reading the clock. */
	readonly sample: number;
	readonly cpuClock?: () => number;
}

const READ_EVERY = 64;
/** One request in this many does a timed sample; rare, because reading the clock is not free. */
const TIME_EVERY = 256;
/** Microseconds of CPU time per reading. */
const WINDOW = 20_000;
/** Weight of older readings: the ration adapts to a new scenario within five readings. */
const FADING = 0.7;
/** Latest timings for the mean cost of a unit. */
const TIMINGS = { fewest: 10, most: 75 } as const;
/** Caps a timing. An interrupt belongs to the price of work, but another thread's time slice does not. */
const MOST_MEDIANS = 8;

/**
 * Returns a ration that costs `fraction` of a request's own CPU time, learnt at run time: the process's CPU time minus
 * the work's, per request of the latest windows. Both sides also pay 2 % of a request for pricing.
 */
export function createRation({ fraction, every, sample, cpuClock = readCpu }: RationOptions): Ration {
	let windowStart: number | null = null;
	let seen = 0;
	let requests = 0;
	let done = 0;
	const serverWork = { cpu: 0, requests: 0 };
	let perRequest = 0;
	let owed = 0;
	let timed = false;
	const timings: number[] = [];

	const closeWindow = (spent: number): void => {
		const unitCost = timings.length < TIMINGS.fewest ? 0 : cappedMean(timings);
		// Sums, not a mean of costs: a slow stretch has fewer requests and must weigh less.
		serverWork.cpu = FADING * serverWork.cpu + spent - done * unitCost;
		serverWork.requests = FADING * serverWork.requests + requests;
		perRequest = unitCost === 0 ? 0 : Math.max(0, (fraction * serverWork.cpu) / serverWork.requests / unitCost);
		requests = 0;
		done = 0;
	};
	const readClock = (): void => {
		const now = cpuClock();
		if (windowStart === null) {
			// Start-up costs belong to no request.
			windowStart = now;
			requests = 0;
			done = 0;
		} else if (now - windowStart >= WINDOW) {
			closeWindow(now - windowStart);
			windowStart = now;
		}
	};
	return {
		next() {
			seen++;
			requests++;
			if (seen % READ_EVERY === 0) readClock();
			owed += perRequest;
			timed = seen % TIME_EVERY === 0;
			const due = seen % every === 0 ? Math.floor(owed) : 0;
			const units = timed ? sample + due : due;
			owed -= due;
			done += units;
			return units;
		},
		isTimed: () => timed,
		learn(units, microseconds) {
			timings.push(microseconds / units);
			if (timings.length > TIMINGS.most) timings.shift();
		},
	};
}

/** A function that ends the timing and returns CPU microseconds, without the time to read the clock. */
function startTiming(cpuClock = readCpu): () => number {
	// The first reading takes longer than the last, because caches are cold.
	cpuClock();
	const first = cpuClock();
	const second = cpuClock();
	return () => Math.max(0, cpuClock() - second - (second - first));
}

/** Microseconds, of all threads. */
function readCpu(): number {
	const { user, system } = process.cpuUsage();
	return user + system;
}

function cappedMean(values: readonly number[]): number {
	const most = MOST_MEDIANS * (values.toSorted((first, second) => first - second)[values.length >> 1] as number);
	return values.reduce((sum, value) => sum + Math.min(value, most), 0) / values.length;
}
