import type { Fraction, Sides } from '../types/units.ts';

export const INJECTION_VARIABLE = 'BENCHGATE_INJECTION';

/** For injections into the tail of latencies. */
export const TAIL_EVERY = 50;

export const INJECTION_KINDS = {
	cpu: { does: 'burns CPU time', unit: "fraction of a request's own CPU time, on average over all requests", most: 10 },
	threadpool: { does: 'burns CPU time in a libuv thread', unit: "fraction of a request's own CPU time", most: 10 },
	wait: { does: 'waits on a timer, beside others', unit: 'milliseconds', most: 10_000 },
	lock: { does: 'waits and blocks all other requests', unit: 'milliseconds', most: 10_000 },
	allocation: { does: 'makes garbage that outlives some requests', unit: 'kilobytes', most: 10_000 },
	leak: { does: 'keeps memory for ever', unit: 'kilobytes', most: 10_000 },
	wrong: { does: 'is answered wrongly, with status 500', unit: 'share of the requests', most: 1 },
} as const;

export type InjectionKind = keyof typeof INJECTION_KINDS;

export interface Injection {
	readonly kind: InjectionKind;
	/** 0 does all the bookkeeping without effect. */
	readonly amount: number;
	/** One request in this many is hit. */
	readonly every: number;
}

const KIND_NAMES = Object.keys(INJECTION_KINDS);

/** Returns the injection without effect, because both sides carry the same preload. */
export function withoutEffect(injection: Injection): Injection {
	return { ...injection, amount: 0 };
}

/**
 * Returns the CPU time to add, as a fraction of a request's own, for a throughput drop of `drop`: drop / (1 − drop),
 * 5.26 % for 5 %, because the cost becomes 1 / (1 − drop).
 */
export function costOfDrop(drop: Fraction): Fraction {
	return drop / (1 - drop);
}

/** Returns values of the variable, padded to equal length. */
export function encodeInjections({ base, head }: Readonly<Sides<Injection>>): Sides<string> {
	const texts = { base: JSON.stringify(base), head: JSON.stringify(head) };
	const length = Math.max(texts.base.length, texts.head.length);
	return { base: texts.base.padEnd(length), head: texts.head.padEnd(length) };
}

/** Throws an Error with the variable, the problem and the allowed form. */
export function parseInjection(text: string): Injection {
	const read = readObject(text);
	const { kind, amount, every = 1, ...others } = read;
	if (typeof kind !== 'string' || !isKind(kind)) refuse(text, `kind must be one of ${KIND_NAMES.join(', ')}`);
	const { unit, most } = INJECTION_KINDS[kind];
	if (!isNumberIn(amount, 0, most)) refuse(text, `amount of ${kind} must be a number from 0 to ${most} (${unit})`);
	if (!isNumberIn(every, 1, 1e9) || !Number.isInteger(every)) refuse(text, 'every must be a whole number from 1');
	const [unknown] = Object.keys(others);
	if (unknown !== undefined)
		refuse(text, `there is no ${JSON.stringify(unknown)}; the keys are kind, amount and every`);
	return { kind, amount, every };
}

function readObject(text: string): Record<string, unknown> {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		refuse(text, 'that is not JSON');
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(text, 'that is not an object');
	return value as Record<string, unknown>;
}

function isKind(name: string): name is InjectionKind {
	return Object.hasOwn(INJECTION_KINDS, name);
}

function isNumberIn(value: unknown, least: number, most: number): value is number {
	return typeof value === 'number' && value >= least && value <= most;
}

function refuse(text: string, what: string): never {
	const form = '{"kind":"cpu","amount":0.05,"every":1}';
	throw new Error(`${INJECTION_VARIABLE}=${text.trim().slice(0, 200)}: ${what}; the form is ${form}`);
}
