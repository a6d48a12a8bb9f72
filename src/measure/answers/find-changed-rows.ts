/** Whether rows of a data file were answered under load as they are at rest. */
import { fillRequest } from '../../text/placeholders.ts';
import type { HttpRequest, Scenario } from '../../types/config.ts';
import type { Traffic } from '../../types/plan.ts';
import type { Fault } from '../../types/round.ts';
import { otherSide, SIDES, type Side, type Sides } from '../../types/units.ts';
import type { RequestReport, TurnReport } from '../generator/messages.ts';
import { MAX_BODY } from '../generator/reading/body-keeper.ts';
import { show } from './answer.ts';
import { textUnderLoad } from './answers-at-rest.ts';
import { ask, isCompressing, NoAnswer } from './ask.ts';
import { compareAnswers } from './compare-answers.ts';
import { isItsOwn } from './find-changed-answers.ts';
import { ANSWER_TIMEOUT_MS, nameOf, placeInMix, type Verification } from './verify-scenario.ts';

/** A body that was the same each time is asked for once; of one that varied it is to be seen whether it does so by itself. */
const ONCE = 1;
const TWICE = 2;

/** A row that the sides answered differently under load, or one of them in several ways. */
interface Suspect {
	readonly row: number;
	/** Null where a side gave several. */
	readonly loaded: Sides<string | null>;
}

/** A turn whose load is over, its bodies read (`readCompressed`); nothing is compared where there was no mix. */
interface LoadedTurn {
	readonly traffic: Traffic | undefined;
	readonly verified: Verification;
	readonly report: TurnReport;
}

/**
 * Returns a fault `changed-under-load` for each request of a mix that a side answered otherwise under load than it does now, while
 * the other side kept to its answers. Of the rows that were watched on both sides those are asked again that differ between them, or
 * whose answer varied on one of them; usually none. Never rejects because of the servers.
 */
export async function findChangedRows(
	origins: Sides<string>,
	scenario: Scenario,
	{ traffic, verified: { mix }, report: { mix: seen } }: LoadedTurn,
	rest: () => Promise<void>,
): Promise<Fault[]> {
	if (!traffic || !mix || !seen || scenario.statusLimit) return [];
	const faults: Fault[] = [];
	for (const [index, { request }] of mix.entries()) {
		const [base, head] = [seen.base[index], seen.head[index]];
		if (!base || !head) continue;
		const { suspects, compared } = compareRows(base, head);
		const changed: Record<Side, string[]> = { base: [], head: [] };
		for (const { row, loaded } of suspects) {
			for (const side of SIDES) {
				const own = fillRequest(request[side], traffic.data[row] ?? {});
				const resting = await askAtRest(origins[side], own, rest, loaded[side] === null ? TWICE : ONCE);
				if (resting === null || (loaded[side] !== null && isSame(loaded[side], resting))) continue;
				const given = loaded[side] === null ? 'several answers' : show(loaded[side]);
				changed[side].push(`${nameOf(own)}: ${given} instead of ${show(resting)}`);
			}
		}
		for (const side of SIDES) {
			const share = changed[side].length / compared;
			if (!isItsOwn(share, changed[otherSide(side)].length / compared)) continue;
			const name = `${nameOf(scenario.mix?.[index]?.request ?? request[side])}${placeInMix(scenario, index)}`;
			const message = `${(100 * share).toFixed(2)} % of the watched answers of ${side} to ${name} under load were not those it gives at rest; first: ${changed[side][0]}`;
			faults.push({ code: 'changed-under-load', side, message });
		}
	}
	return faults;
}

function compareRows(base: RequestReport, head: RequestReport): { suspects: Suspect[]; compared: number } {
	const bodies = new Map(head.watched.map(({ row, body }) => [row, body]));
	const both = base.watched.flatMap(({ row, body }): Suspect[] => {
		const other = bodies.get(row);
		// What varies on both sides varies by itself.
		return other !== undefined && (body ?? other) !== null ? [{ row, loaded: { base: body, head: other } }] : [];
	});
	const isSuspect = ({ loaded: { base: one, head: two } }: Suspect) =>
		one === null || two === null || !isSame(one, two);
	return { suspects: both.filter(isSuspect), compared: both.length };
}

/** Null when no answer comes, or not the same each time. */
async function askAtRest(
	origin: string,
	request: HttpRequest,
	rest: () => Promise<void>,
	times: number,
): Promise<string | null> {
	const bodies = new Set<string>();
	try {
		for (let time = 0; time < times; time++) {
			await rest();
			const answer = await ask(origin, request, { timeoutMs: ANSWER_TIMEOUT_MS });
			// What may come compressed is read by `readCompressed`.
			const text = isCompressing(request) ? answer.body : textUnderLoad(answer);
			bodies.add(text.slice(0, MAX_BODY));
		}
	} catch (error) {
		if (!(error instanceof NoAnswer)) throw error;
		return null;
	}
	const [body, ...others] = bodies;
	return body === undefined || others.length > 0 ? null : body;
}

/** JSON is compared as a document. */
function isSame(one: string, other: string): boolean {
	const answer = (body: string) => [{ status: 200, headers: {}, body, bytes: body.length }];
	return compareAnswers(answer(one), answer(other)) === null;
}
