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

/** Scenarios of the config that applies to reports. */
export const SCENARIOS = ['home', 'search', 'checkout'] as const;

/** A config with one server of its own, as on the base branch; `more` is appended. */
export function configText(scenarios: readonly string[] = SCENARIOS, more = 'threshold: 5%'): string {
	const list = scenarios.map((name) => `  - { name: ${name}, request: { path: /${name} }, expect: { status: 200 } }`);
	return ['servers:', '  - { name: app, command: node server.js }', 'scenarios:', ...list, more, ''].join('\n');
}

/** The same with a second server; each reads only its own package. */
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

/** Merge base of the tests' pull request. */
export const MERGE_BASE = '7'.repeat(40);

export interface RawSketch {
	/** Config of the measuring job. */
	readonly config?: string;
	/** The rounds of a scenario; 0 by default. */
	readonly turns?: Readonly<Record<string, number | Turn>>;
	readonly rounds?: number;
	/** Servers that it skipped because they read no changed file. */
	readonly sameCode?: readonly string[];
	readonly plan?: Partial<Plan>;
	readonly given?: Partial<Raw>;
}

/** Returns the raw data of a measuring job with our plan. */
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
