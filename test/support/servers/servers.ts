import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Affinity, findAffinity } from '../../../src/measure/affinity.ts';
import type { StartOptions } from '../../../src/measure/server-process.ts';
import { startJanitor } from '../../../src/process/janitor.ts';
import type { PreparedServer } from '../../../src/types/prepared.ts';
import type { Janitor } from '../../../src/types/run-services.ts';
import type { Side } from '../../../src/types/units.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures/servers/', import.meta.url));

export function behavingServer(behaviour = '', name = 'fixture'): PreparedServer {
	return {
		name,
		cwd: FIXTURES,
		run: { argv: [process.execPath, 'behaviour.mjs'] },
		env: { BEHAVIOUR: behaviour },
		versions: {},
	};
}

/** Outside the laboratory's range; each test file has its own process. */
let nextPort = 30_000 + (process.pid % 2_000);

/** Resources for starting a process in a test, removed at the end of the scope. */
export interface Bench extends AsyncDisposable {
	readonly janitor: Janitor;
	readonly affinity: Affinity;
	readonly folder: string;
	readonly controller: AbortController;
	options(side: Side, behaviour?: string, timeoutSeconds?: number): StartOptions;
}

export async function createBench(): Promise<Bench> {
	const janitor = await startJanitor();
	const affinity = findAffinity();
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-test-'));
	const controller = new AbortController();
	return {
		janitor,
		affinity,
		folder,
		controller,
		options: (side, behaviour = '', timeoutSeconds = 30) => ({
			side,
			server: behavingServer(behaviour),
			port: nextPort++,
			slot: `slot_of_${side}`,
			ready: { timeoutSeconds },
			affinity,
			janitor,
			node: process.execPath,
			logFolder: folder,
			signal: controller.signal,
		}),
		async [Symbol.asyncDispose]() {
			await janitor.close();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
