/** Counts a small framework's requests, with a cause planted into head. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openBench } from '../../../src/measure/bench.ts';
import type { CoveringLaboratory } from '../../../src/measure/laboratory.ts';
import { readInstalledTree } from '../../../src/prepare/installed-tree.ts';
import { countRow } from '../../../src/runs/explain/explain-run.ts';
import type { Open } from '../../../src/runs/explain/step.ts';
import type { ExplainedRow } from '../../../src/types/explain.ts';
import type { Prepared, PreparedServer } from '../../../src/types/prepared.ts';
import { SIDES, type Side, type Sides } from '../../../src/types/units.ts';
import { createBench } from '../../support/servers/servers.ts';
import { FIXTURE_SCENARIO, shortTiming } from '../../support/short-rounds.ts';

export const APP = `import { createServer } from 'node:http';
import { compose } from 'layers';
async function setType(context, next) {
	context.response.setHeader('content-type', 'application/json');
	await next();
}
async function answer({ response }) {
	const body = { ok: true };
	response.end(JSON.stringify(body));
}
const handle = compose([setType, answer]);
createServer((request, response) => handle({ request, response })).listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
`;
export const LAYERS = `export function compose(layers) {
	const dispatch = (context, at) => layers[at](context, () => dispatch(context, at + 1));
	return (context) => dispatch(context, 0);
}
`;

/** One side's program. */
export interface Planted {
	readonly app?: string;
	readonly layers?: string;
	/** Runs instead of `app`. */
	readonly python?: string;
}

function install(root: string, { app = APP, layers = LAYERS, python }: Planted): PreparedServer {
	const files = {
		'app.mjs': app,
		...(python !== undefined && { 'app.py': python }),
		'node_modules/layers/package.json': '{"name":"layers","version":"1.0.0","type":"module","main":"index.js"}',
		'node_modules/layers/index.js': layers,
	};
	for (const [path, text] of Object.entries(files)) {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), text);
	}
	const run = { argv: python === undefined ? [process.execPath, 'app.mjs'] : ['python3', 'app.py'] };
	return { name: 'express', cwd: root, root, versions: {}, run, env: {} };
}

export interface PlantedPair {
	readonly roots: Sides<string>;
	readonly prepared: Prepared;
	readonly laboratory: CoveringLaboratory;
	readonly config: typeof CONFIG;
}

const CONFIG = { servers: [{ kind: 'built-in' as const, name: 'express' }], scenarios: [FIXTURE_SCENARIO] };
export const CELL = { id: 'express/ping', server: 'express', scenario: 'ping', threshold: 0.05, tolerance: 0.025 };

/** Returns the findings of a visit to each pair. */
export async function visitPairs<T>(
	pairs: readonly Sides<Planted>[],
	visit: (pair: PlantedPair) => Promise<T>,
): Promise<readonly T[]> {
	await using scope = await createBench();
	const { janitor, folder, controller } = scope;
	const bench = await openBench({ cacheFolder: folder, node: process.execPath, janitor, signal: controller.signal });
	const findings: T[] = [];
	try {
		for (const [at, planted] of pairs.entries()) {
			const roots: Sides<string> = { base: join(folder, `base-${at}`), head: join(folder, `head-${at}`) };
			const sideOf = (side: Side) => ({
				...{ side, info: { revision: side, kind: 'dir' as const, label: side, versions: {} } },
				servers: { express: install(roots[side], planted[side]) },
			});
			const prepared: Prepared = { sides: { base: sideOf('base'), head: sideOf('head') }, warnings: [], installs: 0 };
			const laboratory = bench.laboratory({ config: CONFIG, prepared, timing: shortTiming() });
			findings.push(await visit({ roots, prepared, laboratory, config: CONFIG }));
		}
	} finally {
		await bench.close();
	}
	return findings;
}

/** Returns the counted findings for each head. */
export function countPlanted(heads: readonly Planted[]): Promise<readonly Partial<ExplainedRow>[]> {
	const unjudged = { verdict: null, metric: null, change: null, interval: null, threshold: null };
	const row = { server: 'express', scenario: 'ping', ...unjudged };
	const sofar = { ...row, counts: null, proof: null, profile: null, unreached: [], notes: [] };
	return visitPairs(
		heads.map((head) => ({ base: {}, head })),
		({ roots, prepared, laboratory, config }) => {
			const open: Open = {
				...{ pair: { config } as unknown as Open['pair'], prepared, laboratory },
				async trees() {
					const [base = new Map(), head = new Map()] = await Promise.all(
						SIDES.map((side) => readInstalledTree(roots[side])),
					);
					return { base, head };
				},
			};
			return countRow({ row, cell: CELL, sofar }, open, () => 60);
		},
	);
}
