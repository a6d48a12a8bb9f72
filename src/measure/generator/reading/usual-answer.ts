import type { HeadersOfStatus } from '../messages.ts';
import type { Head, Wanted } from './answer-head.ts';
import type { Expected } from './answer-reader.ts';
import { Usual } from './usual.ts';

/** What answers to a request are like, most of the time; all connections of a client learn it together. */
export class UsualAnswer implements Expected {
	readonly method: string;
	readonly usualHead = new Usual<Head>();
	readonly usualBody = new Usual<string>();
	readonly wanted: readonly Wanted[];
	readonly wantedOf: ReadonlyMap<number, readonly Wanted[]>;
	/** `names` and `values` as `Target` has them, `headersOf` as `TurnOrder`. */
	constructor(
		method: string,
		names: readonly string[] = [],
		values: Readonly<Record<string, string>> = {},
		headersOf: HeadersOfStatus = {},
	) {
		this.method = method;
		this.wanted = names.map((name) => wantedOf(name, Object.hasOwn(values, name) ? values[name] : null));
		this.wantedOf = new Map(
			Object.entries(headersOf).map(([status, headers]) => [
				Number(status),
				Object.entries(headers).map(([name, value]) => wantedOf(name, value)),
			]),
		);
	}
}

function wantedOf(name: string, value: string | null = null): Wanted {
	return { name: Buffer.from(name), value: value === null ? null : Buffer.from(value, 'latin1') };
}
