/** What a built-in server's declaration promises, asked of a running server. */
import type { CatalogueServer } from '../../../src/config/catalogue.ts';
import { verifyScenario } from '../../../src/measure/answers/verify-scenario.ts';
import type { Scenario } from '../../../src/types/config.ts';

type Declaration = Pick<CatalogueServer, 'without'>;

const PATIENCE = { timeoutMs: 30_000 };
/** A reason is read in a footnote, beside others. */
const LONGEST_REASON = 100;

/** Returns what is wrong with the scenarios a server leaves out: one that does not exist, a reason nobody can read. */
export function findDeclarationFaults({ without = {} }: Declaration, scenarios: Iterable<string>): string[] {
	const known = new Set(scenarios);
	return Object.entries(without).flatMap(([scenario, reason]) => [
		...(known.has(scenario) ? [] : [`${scenario} is not a built-in scenario`]),
		...(typeof reason === 'string' && /^\S.*[^.\s]$/.test(reason) ? [] : [`${scenario} is left out without a reason`]),
		...(String(reason).length <= LONGEST_REASON ? [] : [`the reason for ${scenario} is too long`]),
	]);
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
