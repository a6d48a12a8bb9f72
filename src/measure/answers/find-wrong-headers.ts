/** Pure: the headers that answers under load must have because of their status, and the fault of a side whose answers do not. */
import { placeholdersIn } from '../../text/placeholders.ts';
import type { Expectation } from '../../types/config.ts';
import { type Fault, MOST_UNEXPECTED } from '../../types/round.ts';
import type { Side } from '../../types/units.ts';
import type { HeadersOfStatus, SeenHeaders } from '../generator/messages.ts';
import { MOST_NAMES } from '../generator/reading/answer-head.ts';
import { show } from './answer.ts';
import { isHeaderKind } from './match-answer.ts';

/**
 * Returns what to look for in answers with another right status than the usual one. Usual answers are held to theirs before load, and
 * under load to what they had then. Of a header that is matched by kind, or filled from a row, it only matters that it is there.
 */
export function headersUnderLoad({ status: [usual], headersOf = {} }: Expectation): HeadersOfStatus {
	const others = Object.entries(headersOf).filter(([status]) => Number(status) !== usual);
	return Object.fromEntries(
		others.map(([status, headers]) => {
			const wanted = Object.entries(headers).slice(0, MOST_NAMES);
			const exact = (text: string) => (isHeaderKind(text) || placeholdersIn(text).length > 0 ? null : text);
			return [status, Object.fromEntries(wanted.map(([name, text]) => [name, exact(text)]))];
		}),
	);
}

/** Returns a fault of each header that too many of a side's answers lacked, or had with another value. `to` as `LoadedRequest` has it. */
export function findWrongHeaders(
	expect: Expectation,
	to: string,
	side: Side,
	seen: Readonly<Record<string, SeenHeaders>> = {},
): Fault[] {
	return Object.entries(headersUnderLoad(expect)).flatMap(([status, headers]) => {
		const { answers = 0, bare = 0, missing = 0, changed = [] } = seen[status] ?? {};
		const isMany = (count: number) => count > MOST_UNEXPECTED * answers;
		const names = Object.keys(headers);
		const faultOf = (count: number, what: string): Fault => ({
			code: 'wrong-header',
			side,
			message: `${((100 * count) / answers).toFixed(2)} % of the answers of ${side}${to} under load with status ${status} ${what}`,
		});
		const lacking = names.filter((_, at) => (missing & (1 << at)) !== 0);
		return [
			...(isMany(bare) ? [faultOf(bare, `were without a header that they must have: ${lacking.join(', ')}`)] : []),
			...Object.entries(headers).flatMap(([name, value], at) => {
				const count = changed[at] ?? 0;
				return value !== null && isMany(count)
					? [faultOf(count, `had a header ${name} that is not ${show(value)}`)]
					: [];
			}),
		];
	});
}
