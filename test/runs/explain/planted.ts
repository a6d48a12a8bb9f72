/** Counts a small framework's requests, with a cause planted into head. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openBench } from '../../../src/measure/bench.ts';
import { readInstalledTree } from '../../../src/prepare/installed-tree.ts';
import { countRow } from '../../../src/runs/explain/count-row.ts';
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

function install(root: string, app: string, layers: string): PreparedServer {
	const files = {
		'app.mjs': app,
		'node_modules/layers/package.json': '{"name":"layers","version":"1.0.0","type":"module","main":"index.js"}',
		'node_modules/layers/index.js': layers,
	};
	for (const [path, text] of Object.entries(files)) {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), text);
	}
	const run = { argv: [process.execPath, 'app.mjs'] };
	return { name: 'express', cwd: root, root, versions: {}, run, env: {} };
}

/** Returns what counting finds for each head. */
export async function countPlanted(
	heads: readonly { readonly app?: string; readonly layers?: string }[],
): Promise<readonly Partial<ExplainedRow>[]> {
	await using scope = await createBench();
	const { janitor, folder, controller } = scope;
	const bench = await openBench({ cacheFolder: folder, node: process.execPath, janitor, signal: controller.signal });
	const scenarios = [FIXTURE_SCENARIO];
	const config = { servers: [{ kind: 'built-in' as const, name: 'express' }], scenarios };
	const cell = { id: 'express/ping', server: 'express', scenario: 'ping', threshold: 0.05, tolerance: 0.025 };
	const found: Partial<ExplainedRow>[] = [];
	try {
		for (const [at, { app = APP, layers = LAYERS }] of heads.entries()) {
			const roots: Sides<string> = { base: join(folder, `base-${at}`), head: join(folder, `head-${at}`) };
			const servers = { base: install(roots.base, APP, LAYERS), head: install(roots.head, app, layers) };
			const sideOf = (side: Side) => ({
				...{ side, info: { revision: side, kind: 'dir' as const, label: side, versions: {} } },
				servers: { express: servers[side] },
			});
			const prepared: Prepared = { sides: { base: sideOf('base'), head: sideOf('head') }, warnings: [], installs: 0 };
			const open: Open = {
				pair: { config } as unknown as Open['pair'],
				prepared,
				laboratory: bench.laboratory({ config, prepared, timing: shortTiming() }),
				async trees() {
					const [base = new Map(), head = new Map()] = await Promise.all(
						SIDES.map((side) => readInstalledTree(roots[side])),
					);
					return { base, head };
				},
			};
			const row = {
				server: 'express',
				scenario: 'ping',
				verdict: null,
				metric: null,
				change: null,
				interval: null,
				threshold: null,
			};
			const sofar = { ...row, counts: null, proof: null, unreached: [], notes: [] };
			found.push(await countRow({ row, cell, sofar }, open, () => 60));
		}
	} finally {
		await bench.close();
	}
	return found;
}
