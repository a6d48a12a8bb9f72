/** Folders that stand in for repositories of actions: our own as a release would hold it, and strangers' that do nothing. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ACTION, listUses, releasedWorkflow } from './workflows.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** What a checkout of the release has that the action needs. */
const RELEASED = ['action.yml', 'package.json', 'dist', 'servers', 'scenarios', 'schema', '.github'];

/** Returns, for act, our action under its released name, copied into `folder`. */
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

/** Returns, for act, an action that does nothing for every third party our workflows use, but for actions/checkout. */
export function stubThirdParties(folder: string): Record<string, string> {
	mkdirSync(folder, { recursive: true });
	const steps = [{ run: 'true', shell: 'bash' }];
	writeFileSync(join(folder, 'action.yml'), JSON.stringify({ name: 'stub', runs: { using: 'composite', steps } }));
	const used = ['bench.yml', 'report.yml', 'command.yml', 'benchmark.yml', 'baseline.yml'].flatMap(listUses);
	// act knows actions/checkout: it copies the working tree.
	const others = used.filter((name) => /^(?!benchgate\/|actions\/checkout@)[^./]+\//.test(name));
	return Object.fromEntries(others.map((name) => [name, folder]));
}
