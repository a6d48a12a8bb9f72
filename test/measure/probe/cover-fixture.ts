/** Covers a small real server. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openBench } from '../../../src/measure/bench.ts';
import type { CellCoverage } from '../../../src/types/coverage.ts';
import type { PreparedServer } from '../../../src/types/prepared.ts';
import type { Side } from '../../../src/types/units.ts';
import { createBench } from '../../support/servers/servers.ts';
import { FIXTURE_SCENARIO, shortTiming } from '../../support/short-rounds.ts';

export const LIBRARY = `'use strict';
exports.atStart = function atStart() { return 1; };
exports.perRequest = function perRequest() { return 2; };
exports.never = function never() { return 3; };
`;
const SERVER = `
import { createServer } from 'node:http';
import library from 'library';
library.atStart();
EXTRA
const server = createServer((_request, response) => {
	library.perRequest();
	response.setHeader('content-type', 'application/json');
	response.end('{"ok":true}');
}).listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
`;

/** Writes the fixture with `extra` code and files into `root`. */
export function serverIn(
	root: string,
	extra: string,
	library = LIBRARY,
	files: Readonly<Record<string, string>> = {},
	own = '',
): PreparedServer {
	const all = {
		'server.mjs': SERVER.replace('EXTRA', extra),
		'node_modules/library/package.json': '{"name":"library","version":"1.0.0","main":"index.js"}',
		'node_modules/library/index.js': library,
		...files,
	};
	for (const [path, text] of Object.entries(all)) {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), text);
	}
	return {
		...{ name: 'express', cwd: root, root, versions: {} },
		run: { argv: [process.execPath, 'server.mjs'] },
		env: own === '' ? {} : { NODE_OPTIONS: own },
	};
}

/** Covers the fixture under an instant of load. */
export async function cover(
	extra: string,
	files: Readonly<Record<string, string>> = {},
	own = '',
): Promise<CellCoverage> {
	await using scope = await createBench();
	const { janitor, folder, controller } = scope;
	const server = serverIn(join(folder, 'side'), extra, LIBRARY, files, own);
	const sideOf = (side: Side) => ({
		...{ side, info: { revision: side, kind: 'dir' as const, label: side, versions: {} } },
		servers: { express: server },
	});
	const bench = await openBench({ cacheFolder: folder, node: process.execPath, janitor, signal: controller.signal });
	try {
		const laboratory = bench.laboratory({
			config: { servers: [{ kind: 'built-in', name: 'express' }], scenarios: [FIXTURE_SCENARIO] },
			prepared: { sides: { base: sideOf('base'), head: sideOf('head') }, warnings: [], installs: 0 },
			timing: shortTiming(),
		});
		const cell = { id: 'express/ping', server: 'express', scenario: 'ping', threshold: 0.05, tolerance: 0.025 };
		return await laboratory.cover(cell, 'glance');
	} finally {
		await bench.close();
	}
}

export const callsOf = ({ scripts }: CellCoverage, path: string) =>
	Object.fromEntries(
		scripts
			.filter((script) => script.path === path)
			.flatMap(({ functions }) => functions.map(([, , name, before, during]) => [name, [before, during]])),
	);
