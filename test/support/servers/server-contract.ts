/** What a built-in server's declaration promises, asked of a running server. */
import type { CatalogueServer } from '../../../src/config/catalogue.ts';
import { verifyScenario } from '../../../src/measure/answers/verify-scenario.ts';
import type { Scenario } from '../../../src/types/config.ts';

type Declaration = Pick<CatalogueServer, 'without' | 'remarks'>;

const PATIENCE = { timeoutMs: 30_000 };
/** A reason is read in a footnote, beside others. */
const LONGEST_REASON = 100;
/** A remark is one of a list below a table. */
const LONGEST_REMARK = 160;

/** Returns what is wrong with what a server says of scenarios: one that does not exist, a reason or remark nobody can read. */
export function findDeclarationFaults(declared: Declaration, scenarios: Iterable<string>): string[] {
	const { without = {}, remarks = {} } = declared;
	const known = new Set(scenarios);
	const unclear = Object.entries(remarks).flatMap(([scenario, remark]) => [
		...(known.has(scenario) ? [] : [`${scenario} is not a built-in scenario`]),
		...(Object.hasOwn(without, scenario) ? [`${scenario} is left out, and has no figures to explain`] : []),
		...(typeof remark === 'string' && /^\S.*\S\.$/.test(remark) ? [] : [`the remark on ${scenario} is no sentence`]),
		...(String(remark).length <= LONGEST_REMARK ? [] : [`the remark on ${scenario} is too long`]),
	]);
	const unreasoned = Object.entries(without).flatMap(([scenario, reason]) => [
		...(known.has(scenario) ? [] : [`${scenario} is not a built-in scenario`]),
		...(typeof reason === 'string' && /^\S.*[^.\s]$/.test(reason) ? [] : [`${scenario} is left out without a reason`]),
		...(String(reason).length <= LONGEST_REASON ? [] : [`the reason for ${scenario} is too long`]),
	]);
	return [...unreasoned, ...unclear];
}

/** Returns how the server's answers to a scenario and its checks differ from what it declares. */
export async function findAnswerFaults(
	{ without = {} }: Declaration,
	scenario: Scenario,
	origin: string,
): Promise<string[]> {
	const { faults } = await verifyScenario({ base: origin, head: origin }, scenario, PATIENCE);
	const isLeftOut = Object.hasOwn(without, scenario.name);
	if (!isLeftOut) return faults.map(({ message }) => message);
	return faults.length > 0 ? [] : [`${scenario.name} is left out, and yet answered`];
}
