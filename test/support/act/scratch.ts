/** Folder of one run of act: a copy of the repository, a home, caches, and act's input files. */
import { randomBytes } from 'node:crypto';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { Payload } from './events.ts';
import { killProcesses } from './processes.ts';
import { runGit } from './tiny-framework.ts';

export interface Scope {
	after(work: () => void | Promise<void>): void;
}

export interface ScratchContent {
	readonly payload: Payload;
	readonly workflow: string;
	/** With the commit GitHub would check out. */
	readonly repository: { readonly folder: string; readonly sha: string };
	readonly secrets?: Readonly<Record<string, string>>;
	/** Files of the run's HOME. */
	readonly home?: Readonly<Record<string, string>>;
	/** Existing folder with only the test's files; a new one when absent. */
	readonly root?: string;
}

export interface Scratch {
	/** Prefix of no other path: it identifies processes of the run. */
	readonly root: string;
	/** Working directory of act. */
	readonly repository: string;
	readonly token: string;
	/** A fresh user's environment, with the tests' Node first on PATH, where act looks for it. */
	readonly environment: NodeJS.ProcessEnv;
	/** Returns uploaded artifacts: name → zip. */
	readonly artifacts: () => Record<string, Buffer>;
	/** Returns a file of the run's HOME; null if missing. */
	readonly readHome: (name: string) => string | null;
}

/** Returns a new folder whose path is a prefix of no other. */
export function makeRoot(): string {
	return realpathSync(mkdtempSync(join(tmpdir(), 'benchgate-act-')));
}

/** Creates a scratch folder. After `scope` its processes are killed and it is removed. */
export function makeScratch(
	scope: Scope,
	{ payload, workflow, repository, secrets = {}, home = {}, root = makeRoot() }: ScratchContent,
): Scratch {
	scope.after(() => {
		killProcesses(root);
		rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
	});
	const at = (name: string) => join(root, name);
	for (const name of ['home', 'tmp', 'artifacts']) mkdirSync(at(name));
	for (const [name, text] of Object.entries(home)) writeFileSync(join(at('home'), name), text);
	cpSync(repository.folder, at('repository'), { recursive: true });
	runGit(at('repository'), 'checkout', '--quiet', '--detach', repository.sha);
	const token = `ghs_${randomBytes(20).toString('hex')}`;
	const lines = Object.entries({ GITHUB_TOKEN: token, ...secrets }).map((entry) => entry.join('='));
	writeFileSync(at('secrets'), lines.join('\n'));
	writeFileSync(at('event.json'), JSON.stringify(payload));
	writeFileSync(at('workflow.yml'), workflow);
	return {
		root,
		repository: at('repository'),
		token,
		environment: {
			PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
			HOME: at('home'),
			TMPDIR: at('tmp'),
			XDG_CACHE_HOME: at('cache'),
			LANG: 'C.UTF-8',
			BENCHGATE_ARTIFACT_DIR: at('artifacts'),
			BENCHGATE_CACHE: at('benchgate-cache'),
		},
		artifacts: () => {
			const names = readdirSync(at('artifacts'));
			return Object.fromEntries(
				names.map((name) => [name.replace(/\.zip$/, ''), readFileSync(join(at('artifacts'), name))]),
			);
		},
		readHome: (name) => (existsSync(join(at('home'), name)) ? readFileSync(join(at('home'), name), 'utf8') : null),
	};
}
