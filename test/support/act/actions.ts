/** Folders in place of action repositories: benchgate's as released, and third parties' without effect. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ACTION, listUses, releasedWorkflow } from './workflows.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Parts of the release the action needs. */
const RELEASED = ['action.yml', 'package.json', 'dist', 'servers', 'scenarios', 'schema', '.github'];

/** Copies benchgate's action into `folder` under its released name, for act. */
export function copyAction(folder: string): Record<string, string> {
	for (const name of RELEASED) {
		cpSync(join(ROOT, name), join(folder, name), {
			recursive: true,
			filter: (path) => !path.includes('node_modules'),
		});
	}
	const workflows = join(folder, '.github/workflows');
	for (const name of readdirSync(workflows)) {
		const path = join(workflows, name);
		writeFileSync(path, releasedWorkflow(readFileSync(path, 'utf8')));
	}
	return { [ACTION]: folder };
}

/** Creates actions without effect for all third parties but actions/checkout, for act. */
export function stubThirdParties(folder: string): Record<string, string> {
	mkdirSync(folder, { recursive: true });
	const steps = [{ run: 'true', shell: 'bash' }];
	writeFileSync(join(folder, 'action.yml'), JSON.stringify({ name: 'stub', runs: { using: 'composite', steps } }));
	const used = ['bench.yml', 'report.yml', 'command.yml', 'benchmark.yml', 'baseline.yml'].flatMap(listUses);
	// act implements actions/checkout: it copies the working tree.
	const others = used.filter((name) => /^(?!benchgate\/|actions\/checkout@)[^./]+\//.test(name));
	return Object.fromEntries(others.map((name) => [name, folder]));
}
