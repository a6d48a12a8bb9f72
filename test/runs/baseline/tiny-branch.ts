/** A repository with a server of a few lines of node:http, and a function that measures it. */
import type { TestContext } from 'node:test';
import { openLocalCommits } from '../../../src/runs/baseline/local-commits.ts';
import type { BaselineOptions } from '../../../src/runs/baseline/run-baseline.ts';
import type { BaselineRecord } from '../../../src/types/baseline.ts';
import type { Config } from '../../../src/types/config.ts';
import { builtinScenario } from '../../config/example-catalogue.ts';
import { configOf, customServer, openSetting } from '../../prepare/support.ts';

/** A built-in scenario, so that the reference server answers it too. */
const PING: Config['scenarios'] = [builtinScenario('ping')];
/** Two rounds decide nothing; they show that every part is present. */
export const CONFIG: Config = {
	...configOf([{ ...customServer('.'), ready: { timeoutSeconds: 60 }, scenarios: ['ping'] }]),
	scenarios: PING,
	rounds: 2,
	budgetSeconds: 60,
	warmupSeconds: 0.2,
};

/**
 * Returns a server whose code differs by a comment alone; it answers like the reference server, with which it is
 * compared.
 */
export const serverOf = (comment: string) => `// ${comment}
require('node:http').createServer((request, response) => {
	response.setHeader('content-type', 'application/json');
	response.end('{"ok":true}');
}).listen(process.env.PORT, process.env.HOST);`;

/** Opens baselines of the repository at `cwd`, against the newest release of its head. */
export async function openBaseline(t: TestContext, cwd: string) {
	const { context, steps } = await openSetting(t, { cwd });
	const commits = openLocalCommits({ ...context, cwd, subject: '.' });
	const kept: (readonly BaselineRecord[])[] = [];
	const optionsFor = async (
		earlier: readonly BaselineRecord[],
		changes: Partial<BaselineOptions> = {},
	): Promise<BaselineOptions> => {
		const head = await commits.findHead('HEAD');
		return {
			...context,
			cacheFolder: context.cacheFolder,
			config: CONFIG,
			precision: 0.008,
			head,
			given: null,
			release: await commits.findRelease(head),
			earlier,
			run: { id: '77', attempt: 1, url: null },
			skipUnchanged: true,
			findAnchor: commits.findAnchor,
			reproduce: ({ base, head: measured }) => `benchgate baseline --anchor ${base} --head ${measured}`,
			keep: async (records) => void kept.push(records),
			...changes,
		};
	};
	return { optionsFor, commits, steps, kept };
}
