import { pbkdf2, pbkdf2Sync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Injection, InjectionKind } from './injection.ts';
import { createRation, startTiming } from './ration.ts';
import { prepareSpin } from './spin.ts';

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
