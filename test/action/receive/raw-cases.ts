import { parseConfig } from '../../../src/config/file/parse-config.ts';
import { loadCatalogue } from '../../../src/config/load-catalogue.ts';
import { resolveConfig } from '../../../src/config/resolve-config.ts';
import { planCells } from '../../../src/plan/plan-cells.ts';
import { planRun } from '../../../src/plan/plan-run.ts';
import { TOOL_ROOT } from '../../../src/process/entries.ts';
import type { Config } from '../../../src/types/config.ts';
import type { Plan } from '../../../src/types/plan.ts';
import type { Raw } from '../../../src/types/result.ts';
import { HEAD } from '../../formats/publication-cases.ts';
import { resultOf } from '../../support/results.ts';
import { scriptRound, type Turn } from '../../support/rounds.ts';

/** Scenarios of the config that reports are held to. */
export const SCENARIOS = ['home', 'search', 'checkout'] as const;

/** A config with one server of its own, as the base branch has it; `more` stands at its end. */
export function configText(scenarios: readonly string[] = SCENARIOS, more = 'threshold: 5%'): string {
	const list = scenarios.map((name) => `  - { name: ${name}, request: { path: /${name} }, expect: { status: 200 } }`);
	return ['servers:', '  - { name: app, command: node server.js }', 'scenarios:', ...list, more, ''].join('\n');
}

/** The same with a second server, each in a package of its own, which is all that it reads. */
export function workspaceText(reads: (name: string) => string = (name) => `, reads: [packages/${name}]`): string {
	const server = (name: string) =>
		`  - { name: ${name}, command: node server.js, cwd: packages/${name}${reads(name)} }`;
	const [first, , ...rest] = configText().split('\n');
	return [first, server('app'), server('web'), ...rest].join('\n');
}

const CATALOGUE = await loadCatalogue(TOOL_ROOT);

/** Returns the config in a text, with seed 1. */
export function configOf(text: string): Config {
	return resolveConfig(parseConfig(text, 'benchgate.yml', CATALOGUE), {}, CATALOGUE, () => 1);
}

/** Where the pull request of the tests left its base branch. */
export const MERGE_BASE = '7'.repeat(40);

export interface RawSketch {
	/** Config that the measuring job used. */
	readonly config?: string;
	/** What each round of a scenario is like; 0 where nothing is said. */
	readonly turns?: Readonly<Record<string, number | Turn>>;
	readonly rounds?: number;
	/** Servers that it skipped, because they read nothing that differs. */
	readonly sameCode?: readonly string[];
	readonly plan?: Partial<Plan>;
	readonly given?: Partial<Raw>;
}

/** Returns the raw data that a measuring job leaves which planned as we do. */
export function rawOf(sketch: RawSketch = {}): Raw {
	const { config = configText(), turns = {}, rounds = 20, sameCode = [], plan = {}, given = {} } = sketch;
	const resolved = configOf(config);
	const { cells, oneSided } = planCells(resolved, { servers: { base: ['app'], head: ['app'] }, sameCode });
	const planned = { ...planRun(resolved, cells, oneSided), ...plan };
	const turnOf = (scenario: string): Turn => {
		const turn = turns[scenario] ?? 0;
		return typeof turn === 'number' ? { d: turn } : turn;
	};
	const { tool, createdAt, base, head, environment, timing, warnings } = resultOf([]);
	const { threshold, tolerance, gate } = resolved;
	return {
		schemaVersion: 1,
		kind: 'benchgate-raw',
		context: {
			...{ tool, createdAt, threshold, tolerance, environment, warnings },
			...{ base: { ...base, sha: MERGE_BASE }, head: { ...head, sha: HEAD } },
			onInconclusive: gate.onInconclusive,
			reproduce: 'npx benchgate compare --base main --head topic --seed 1',
		},
		plan: planned,
		rounds: Array.from({ length: rounds }, (_, index) =>
			scriptRound(index + 1, Object.fromEntries(planned.cells.map((cell) => [cell.scenario, turnOf(cell.scenario)]))),
		),
		refused: [],
		ended: 'decided',
		timing,
		...given,
	};
}

/** Everything as fast as before. */
export const STEADY = rawOf();
/** One row 10 % slower. */
export const SLOWER = rawOf({ turns: { checkout: -0.1 } });
