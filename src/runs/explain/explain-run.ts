import { chooseRows } from '../../explain/choose-rows.ts';
import { summarise } from '../../judge/summarise.ts';
import { planCells } from '../../plan/plan-cells.ts';
import { prepareSides } from '../../prepare/prepare-sides.ts';
import type { ExplainOptions, Explanation, UnexplainedRow } from '../../types/explain.ts';
import type { Cell } from '../../types/plan.ts';
import type { Prepared } from '../../types/prepared.ts';
import type { Raw } from '../../types/result.ts';
import { withRuntimes } from '../open-runtimes.ts';
import { openSides } from '../open-sides.ts';
import { presenceOf, sharedServers } from '../present-servers.ts';
import { type AskedPair, type IsolatedPair, prepareContextOf } from '../verify-pair.ts';
import { explainRows } from './explain-rows.ts';

/** Explains a finished run whose sides are still installed. Never throws; returns null if the policy is `never`. */
export async function explainRun(
	raw: Raw,
	pair: IsolatedPair,
	prepared: Prepared,
	{ policy, budgetSeconds, prove, profile }: ExplainOptions,
): Promise<Explanation | null> {
	if (policy === 'never') return null;
	const rows = chooseRows(summarise(raw), policy);
	const { reproduce } = raw.context;
	return explainRows(pair, prepared, { rows, cells: raw.plan.cells, budgetSeconds, prove, profile, reproduce });
}

/** Installs both sides and explains rows of a finished run, or else every row. Cleans up. */
export async function explainSides(
	options: AskedPair & { readonly reproduce: string },
	raw: Raw | null,
	{ policy, budgetSeconds, prove, profile }: ExplainOptions,
): Promise<Explanation> {
	await using isolation = await openSides(options);
	const pair = await withRuntimes({ ...options, isolation });
	const config = { ...options.config, servers: sharedServers(options) };
	const prepared = await prepareSides(config, options.revisions, prepareContextOf(pair));
	const { cells } = planCells(config, presenceOf(options, prepared));
	const rows = raw === null ? cells.map(unjudged) : chooseRows(summarise(raw), policy);
	return await explainRows(pair, prepared, {
		rows,
		cells,
		budgetSeconds,
		prove,
		profile,
		reproduce: options.reproduce,
	});
}

function unjudged({ server, scenario }: Cell): UnexplainedRow {
	return { server, scenario, verdict: null, metric: null, change: null, interval: null, threshold: null };
}
