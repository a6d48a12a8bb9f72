/** Checks a running built-in server against its declaration. */
import type { CatalogueServer } from '../../../src/config/catalogue.ts';
import { verifyScenario } from '../../../src/measure/answers/verify-scenario.ts';
import type { Scenario } from '../../../src/types/config.ts';

type Declaration = Pick<CatalogueServer, 'without' | 'remarks'>;

const PATIENCE = { timeoutMs: 30_000 };
/** Shown in a footnote, beside others. */
const LONGEST_REASON = 100;
/** Shown in a list below a table. */
const LONGEST_REMARK = 160;

/** Returns errors of a declaration: unknown scenarios, unreadable reasons or remarks. */
export function findDeclarationFaults(declared: Declaration, scenarios: Iterable<string>): string[] {
	const { without = {}, remarks = {} } = declared;
	const scenarioNames = new Set(scenarios);
	const unclear = Object.entries(remarks).flatMap(([scenario, remark]) => [
		...(scenarioNames.has(scenario) ? [] : [`${scenario} is not a built-in scenario`]),
		...(Object.hasOwn(without, scenario) ? [`${scenario} is left out, and has no figures to explain`] : []),
		...(typeof remark === 'string' && /^\S.*\S\.$/.test(remark) ? [] : [`the remark on ${scenario} is no sentence`]),
		...(String(remark).length <= LONGEST_REMARK ? [] : [`the remark on ${scenario} is too long`]),
	]);
	const unreasoned = Object.entries(without).flatMap(([scenario, reason]) => [
		...(scenarioNames.has(scenario) ? [] : [`${scenario} is not a built-in scenario`]),
		...(typeof reason === 'string' && /^\S.*[^.\s]$/.test(reason) ? [] : [`${scenario} is left out without a reason`]),
		...(String(reason).length <= LONGEST_REASON ? [] : [`the reason for ${scenario} is too long`]),
	]);
	return [...unreasoned, ...unclear];
}

/** Returns differences between answers and the declaration, for a scenario and its checks. */
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
