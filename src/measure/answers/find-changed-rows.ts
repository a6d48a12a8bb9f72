/** Compares the answers to rows under load with those at rest. */
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

/** A row with a constant body is requested once; a varied one twice, to see whether it varies at rest. */
const ONCE = 1;
const TWICE = 2;

interface Suspect {
	readonly row: number;
	/** Null if there were several bodies. */
	readonly loaded: Sides<string | null>;
}

/** A turn after load, with decoded bodies (`readCompressed`). */
interface LoadedTurn {
	readonly traffic: Traffic | undefined;
	readonly verified: Verification;
	readonly report: TurnReport;
}

/**
 * Returns a fault for each request of a mix to which one side alone gave other answers under load than now. Requests
 * only watched rows that differ between the sides, or varied on one. Never rejects because of the servers.
 */
export async function findChangedRows(
	origins: Sides<string>,
	scenario: Scenario,
	{ traffic, verified: { mix }, report: { mix: seen } }: LoadedTurn,
	waitForRest: () => Promise<void>,
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
				const sideRequest = fillRequest(request[side], traffic.data[row] ?? {});
				const resting = await askAtRest(origins[side], sideRequest, waitForRest, loaded[side] === null ? TWICE : ONCE);
				if (resting === null || (loaded[side] !== null && isSame(loaded[side], resting))) continue;
				const loadedText = loaded[side] === null ? 'several answers' : show(loaded[side]);
				changed[side].push(`${nameOf(sideRequest)}: ${loadedText} instead of ${show(resting)}`);
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
		// A row that varies on both sides varies by itself.
		return other !== undefined && (body ?? other) !== null ? [{ row, loaded: { base: body, head: other } }] : [];
	});
	const isSuspect = ({ loaded: { base: one, head: two } }: Suspect) =>
		one === null || two === null || !isSame(one, two);
	return { suspects: both.filter(isSuspect), compared: both.length };
}

/** Null unless all answers agree. */
async function askAtRest(
	origin: string,
	request: HttpRequest,
	waitForRest: () => Promise<void>,
	times: number,
): Promise<string | null> {
	const bodies = new Set<string>();
	try {
		for (let time = 0; time < times; time++) {
			await waitForRest();
			const answer = await ask(origin, request, { timeoutMs: ANSWER_TIMEOUT_MS });
			// `readCompressed` decodes compressed bodies as at rest.
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

function isSame(one: string, other: string): boolean {
	const answer = (body: string) => [{ status: 200, headers: {}, body, bytes: body.length }];
	return compareAnswers(answer(one), answer(other)) === null;
}
