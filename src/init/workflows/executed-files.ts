/** Finds checkout files that a workflow executes outside isolation. */

import { posix } from 'node:path';
import { asList, asMapping } from '../../config/file/check-scenario.ts';
import { readYaml } from '../../config/file/read-yaml.ts';
import { parseJson } from '../../text/json.ts';
import { isUserError } from '../../types/errors.ts';
import { inCheckout, readEnvironment, readScript, type Script } from './shell-script.ts';

export interface Executed {
	/** Files and folders, without `./`. */
	readonly places: readonly string[];
	/** Whether packages are installed. Then manifests and lockfiles count at any path. */
	readonly packages: boolean;
	/** Steps that may execute any file: `run: make`, `uses: owner/action@v1`. */
	readonly unread: readonly string[];
	/** Working directories of steps: in place of one, a symbolic link leads to other code. */
	readonly folders: readonly string[];
	/** Whether a step checks out a named commit instead of GitHub's merge with the base branch. */
	readonly named: boolean;
}

export interface Surroundings {
	/** File text on the base branch; null when missing. */
	readonly read: (path: string) => Promise<string | null>;
	/** Whether a path is a symbolic link, crosses one, or is a folder that directly contains one. */
	readonly isLinked: (path: string) => Promise<boolean>;
	/** In benchgate's own repository `./` is benchgate. */
	readonly isOwn: boolean;
}

type Mapping = Readonly<Record<string, unknown>>;

const MOST_FOLLOWED = 30;
/** `./` is the checkout; `$/` is the workflow's repository at its commit. */
const LOCAL = /^[.$][/\\]/;
const WORKFLOW = /\.ya?ml$/i;
/** Keys of an action's `runs` that name a file. */
const ENTRIES = ['pre', 'main', 'post', 'pre-entrypoint', 'entrypoint', 'post-entrypoint', 'image'];
const BENCHGATE = /^benchgate\/benchgate(?:\/\.github\/workflows\/[\w.-]+\.ya?ml)?(?:@\S+)?$/i;
/** Paths in benchgate's own repository. Its programs are bundles. */
const OWN_BENCHGATE = /^(?:\.\/|\$\/\.github\/action)$/;
/** Shells that `readScript` understands. */
const SHELL = /^(?:ba)?sh(?: (?:-\w+|--?noprofile|--?norc|pipefail|\{0\}))*$/;
/** Values that a pull request cannot choose. */
const SETTLED =
	/\$\{\{\s*(?:(github\.workspace)|(matrix\.[\w.-]+)|(?:secrets|vars|runner)\.[\w.-]+|github\.(?:token|sha|run_id|run_number|run_attempt|repository))\s*\}\}/g;
const EXPRESSION = '${{';
/** Lifecycle scripts that `npm ci` runs: https://docs.npmjs.com/cli/v11/using-npm/scripts#npm-ci */
const LIFECYCLE = /^(?:pre|post)?(?:install|prepare|prepublish)$|^(?:pre|post)prepare$|^dependencies$/;
/** Packages whose install scripts read no checkout file. */
const PLAIN_INSTALLS: readonly string[] = ['esbuild', 'fsevents'];
/** Settings of package managers that name a program. */
const LOADING_SETTING =
	/^\s*(?:script-shell|shell|node-options|git|yarn-path|yarnPath|plugins|pnpmfile|global-pnpmfile)\b/m;
const LOCAL_PACKAGE = /^(?:file:|link:|portal:|workspace:|[./~])/;

const CHECKOUT = 'actions/checkout';
const SETUP_NODE = 'actions/setup-node';
/**
 * Actions that, with the right inputs, execute nothing of the checkout. Not cache restores: a pull request's cache may
 * hold its earlier files, and is unpacked over any path.
 */
const KNOWN_ACTIONS: Readonly<Record<string, (inputs: Mapping) => boolean>> = {
	[CHECKOUT]: (inputs) => isUnset(inputs.path) || /^[\w.-]+\/[\w.-]+$/.test(String(inputs.repository)),
	[SETUP_NODE]: (inputs) => isUnset(inputs.cache),
	'actions/setup-python': (inputs) => isUnset(inputs.cache) && isUnset(inputs['pip-install']),
	'actions/setup-java': (inputs) => isUnset(inputs.cache),
	'actions/setup-go': (inputs) => String(inputs.cache) === 'false',
	'actions/upload-artifact': () => true,
	'actions/download-artifact': (inputs) => isUnset(inputs['run-id']),
	'denoland/setup-deno': (inputs) => isUnset(inputs.cache),
	'docker/login-action': () => true,
	'step-security/harden-runner': () => true,
};

/** Returns null for invalid YAML. */
export function parseWorkflow(text: string): unknown {
	try {
		return readYaml(text, 'workflow').value;
	} catch (error) {
		if (isUserError(error)) return null;
		throw error;
	}
}

/** Accepts a path only in benchgate's own repository. */
export function usesBenchgate(uses: string, { isOwn }: Pick<Surroundings, 'isOwn'>): boolean {
	return BENCHGATE.test(uses) || (isOwn && OWN_BENCHGATE.test(uses));
}

/**
 * Returns the files of the checkout that a workflow executes, directly or not. Jobs without benchgate count, because the
 * reporter trusts all artifacts of the run. Rejected text may execute anything.
 */
export async function findExecuted(text: string, surroundings: Surroundings): Promise<Executed> {
	const walk = new Walk(surroundings);
	if (text.trim() !== '') await walk.workflow(text, 'the workflow');
	const [places, folders] = [[...walk.places], [...walk.folders]];
	for (const path of [...places, ...folders]) {
		if (await surroundings.isLinked(path)) walk.unread.add(`link: ${path}`);
	}
	return { places, folders, packages: walk.packages, unread: [...walk.unread], named: walk.named };
}

/** Ignores case, because runners' file systems may. */
export function isWithin(path: string, places: readonly string[]): boolean {
	const low = path.toLowerCase();
	return places.map((place) => place.toLowerCase()).some((place) => low === place || low.startsWith(`${place}/`));
}

interface Setting {
	readonly folder: unknown;
	readonly shell: unknown;
}

class Walk {
	readonly places = new Set<string>();
	readonly unread = new Set<string>();
	readonly folders = new Set<string>();
	packages = false;
	named = false;
	readonly #in: Surroundings;
	readonly #followed = new Set<string>();

	constructor(surroundings: Surroundings) {
		this.#in = surroundings;
	}

	async workflow(text: string, name: string): Promise<void> {
		const workflow = asMapping(parseWorkflow(text));
		if (workflow.jobs === undefined) this.#refuse(`${name}, which cannot be read`);
		this.#environment(workflow.env, 'env of the workflow');
		const usual = settingOf(workflow.defaults, { folder: '', shell: 'bash' });
		for (const [id, value] of Object.entries(asMapping(workflow.jobs))) {
			const job = asMapping(value);
			this.#environment(job.env, `env of the job ${id}`);
			this.#container(job.container, `container of the job ${id}`);
			for (const service of Object.values(asMapping(job.services)))
				this.#container(service, `services of the job ${id}`);
			if (typeof job.uses === 'string') await this.#use(job.uses, {});
			await this.#steps(job.steps, settingOf(job.defaults, usual));
		}
	}

	async #steps(steps: unknown, usual: Setting): Promise<void> {
		for (const step of asList(steps).map(asMapping)) {
			this.#environment(step.env, 'env of a step');
			if (typeof step.uses === 'string') await this.#use(step.uses.trim(), asMapping(step.with));
			if (typeof step.run !== 'string') continue;
			const { 'working-directory': folder = usual.folder, shell = usual.shell } = step;
			await this.#run(step.run, `run: ${step.run}`, { folder, shell });
		}
	}

	async #run(text: string, name: string, { folder, shell }: Setting): Promise<void> {
		const at = typeof folder === 'string' ? inCheckout(settle(folder)) : null;
		if (at !== null) this.#folder(at);
		if (at === null || typeof shell !== 'string' || !SHELL.test(shell.trim())) this.#refuse(name);
		else await this.#script(readScript(settle(text), at), name);
	}

	async #script(script: Script, name: string): Promise<void> {
		for (const place of script.places) this.#place(place, name);
		for (const folder of script.folders) this.#folder(folder);
		if (script.unread !== null)
			this.#refuse(name.startsWith('run:') ? `run: ${script.unread}` : `${name}: ${script.unread}`);
		for (const { folder, scripts } of script.installs) {
			this.packages = true;
			const why = (await this.#whyHooked(folder)) ?? (scripts ? await this.#whyOpen(folder) : null);
			if (why !== null) this.#refuse(why);
		}
		for (const { path, folder, sourced } of script.scripts) {
			this.#place(path, name);
			// Relative paths differ by folder, and a sourced script may change the folder.
			if (!this.#isNew(`${folder}:${path}${sourced ? ':' : ''}`)) continue;
			const text = await this.#in.read(path);
			const isShell = text !== null && /^(?!#!)|^#! ?\/(?:usr\/)?(?:bin\/)?(?:env )?(?:ba|da)?sh\b/.test(text);
			const inner = isShell ? readScript(text, folder) : null;
			if (inner !== null) await this.#script(inner, path);
			if (inner === null) this.#refuse(text === null ? `run: ${path}` : path);
			else if (sourced && inner.folders.length > 0) this.#refuse(`${path}: cd`);
		}
	}

	async #use(uses: string, inputs: Mapping): Promise<void> {
		if (!LOCAL.test(uses)) {
			if (usesBenchgate(uses, this.#in)) return;
			const actionName = /^([\w.-]+\/[\w.-]+)@/.exec(uses)?.[1]?.toLowerCase();
			if (actionName === CHECKOUT && !(isUnset(inputs.repository) && isUnset(inputs.ref))) this.named = true;
			if (actionName === undefined || KNOWN_ACTIONS[actionName]?.(inputs) !== true) this.#refuse(`uses: ${uses}`);
			// Inputs such as `node-version-file` name files to read.
			else
				for (const [input, value] of Object.entries(inputs))
					if (/-(?:file|path)$/.test(input)) this.#paths(value, `uses: ${uses}`);
			if (actionName === SETUP_NODE && String(inputs['package-manager-cache']) !== 'false') await this.#autoCache(uses);
			return;
		}
		const use = inCheckout(uses.slice(2).replaceAll('\\', '/'));
		if (use === null) return this.#refuse(`uses: ${uses}`);
		if (!this.#isNew(`uses:${use}`)) return;
		if (WORKFLOW.test(use)) {
			this.places.add(use);
			return this.workflow((await this.#in.read(use)) ?? '', `uses: ${uses}`);
		}
		await this.#action(use, uses);
	}

	/** By default, setup-node restores npm's cache if the manifest names npm. */
	async #autoCache(uses: string): Promise<void> {
		this.packages = true;
		const { packageManager, devEngines } = asMapping(jsonIn(await this.#in.read('package.json')));
		if (packageManager !== undefined || devEngines !== undefined) this.#refuse(`uses: ${uses}`);
	}

	async #action(use: string, uses: string): Promise<void> {
		const files = ['action.yml', 'action.yaml'].map((name) => posix.join(use, name));
		for (const place of use === '' ? files : [use]) this.places.add(place);
		let isRead = usesBenchgate(uses, this.#in);
		for (const file of files) {
			const text = await this.#in.read(file);
			if (text === null) continue;
			const runs = asMapping(asMapping(parseWorkflow(text)).runs);
			for (const place of entriesOf(use, runs)) this.places.add(place);
			if (runs.using === 'composite') isRead = true;
			await this.#steps(runs.steps, { folder: '', shell: undefined });
		}
		// A program can load files beside or above its own.
		if (!isRead) this.#refuse(`uses: ${uses}`);
	}

	/** Finds mounted files. Refuses an image or entrypoint that a pull request may choose. */
	#container(value: unknown, name: string): void {
		const {
			env,
			image,
			volumes,
			options,
			ports: _ports,
			credentials: _credentials,
			...others
		} = asMapping(typeof value === 'string' ? { image: value } : value);
		this.#environment(env, name);
		if (settle(String(image ?? '')).includes(EXPRESSION) || /--entrypoint\b/.test(String(options))) this.#refuse(name);
		for (const each of [...asList(volumes), options, ...Object.values(others)]) this.#paths(each, name);
	}

	#environment(env: unknown, name: string): void {
		for (const [variable, value] of Object.entries(asMapping(env))) {
			const read = readEnvironment(variable, settle(String(value ?? '')));
			if (read === null) this.#refuse(`${name}: ${variable}`);
			else for (const place of read) this.#place(place, name);
		}
		if (typeof env === 'string') this.#refuse(name);
	}

	#paths(value: unknown, name: string): void {
		const places = readEnvironment('', settle(String(value ?? '')));
		if (places === null) this.#refuse(name);
		else for (const place of places) this.#place(place, name);
	}

	/** Returns a file because of which an install may run any file, even with `--ignore-scripts`. */
	async #whyHooked(folder: string): Promise<string | null> {
		for (const name of ['.npmrc', '.pnpmfile.cjs', '.pnpmfile.mjs', '.yarnrc', '.yarnrc.yml']) {
			const path = posix.join(folder, name);
			const text = await this.#in.read(path);
			if (text !== null && (name.startsWith('.pnpmfile') || LOADING_SETTING.test(text))) return path;
		}
		return null;
	}

	/** Returns why `npm ci` without `--ignore-scripts` may run any file. */
	async #whyOpen(folder: string): Promise<string | null> {
		const at = (name: string) => this.#in.read(posix.join(folder, name));
		const manifest = asMapping(jsonIn(await at('package.json')));
		const lock = asMapping(jsonIn((await at('package-lock.json')) ?? (await at('npm-shrinkwrap.json'))));
		if (manifest.name === undefined && manifest.dependencies === undefined && manifest.devDependencies === undefined)
			return 'run: npm, without a package.json that can be read';
		const script = Object.keys(asMapping(manifest.scripts)).find((name) => LIFECYCLE.test(name));
		if (script !== undefined) return `run: npm, which runs the script ${script}`;
		for (let above = folder; ; above = posix.dirname(above)) {
			const { workspaces } = asMapping(jsonIn(await this.#in.read(posix.join(above, 'package.json'))));
			if (workspaces !== undefined) return 'run: npm, which runs scripts of workspaces';
			if (above === '' || above === '.') break;
		}
		if ((await at('binding.gyp')) !== null) return 'run: npm, which builds binding.gyp';
		const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
		const specs = kinds.flatMap((kind) => Object.values(asMapping(manifest[kind])));
		if (specs.some((spec) => LOCAL_PACKAGE.test(String(spec)))) return 'run: npm, which installs a folder';
		if (lock.packages === undefined) return 'run: npm, without a package-lock.json that can be read';
		const packages = Object.entries(asMapping(lock.packages)).map(([path, entry]) => ({ path, ...asMapping(entry) }));
		const running = packages.find(
			(entry) =>
				(entry as Mapping).hasInstallScript === true &&
				!PLAIN_INSTALLS.includes(entry.path.replace(/^.*node_modules\//, '')),
		);
		return running === undefined ? null : `run: npm, which runs the install script of ${running.path || 'the package'}`;
	}

	#place(place: string, name: string): void {
		if (place === '') this.#refuse(name);
		else this.places.add(place);
	}

	#folder(folder: string): void {
		if (folder !== '') this.folders.add(folder);
	}

	#refuse(name: string): void {
		this.unread.add(name.trim().split('\n')[0] ?? '');
	}

	#isNew(key: string): boolean {
		if (this.#followed.has(key)) return false;
		this.#followed.add(key);
		if (this.#followed.size <= MOST_FOLLOWED) return true;
		this.#refuse('more files than can be followed');
		return false;
	}
}

function settingOf(defaults: unknown, usual: Setting): Setting {
	const { 'working-directory': folder = usual.folder, shell = usual.shell } = asMapping(asMapping(defaults).run);
	return { folder, shell };
}

function settle(text: string): string {
	return text.replace(SETTLED, (_, workspace, matrix) =>
		workspace ? '$GITHUB_WORKSPACE' : matrix ? '$MATRIX' : '$SETTLED',
	);
}

function isUnset(input: unknown): boolean {
	return input === undefined || input === null || input === '' || input === false || input === 'false';
}

function jsonIn(text: string | null): unknown {
	try {
		return parseJson(text ?? 'null');
	} catch {
		return null;
	}
}

/** A bundle loads files beside it, so the whole folder counts. */
function entriesOf(folder: string, runs: Mapping): readonly string[] {
	return ENTRIES.flatMap((name) => {
		const entry = runs[name];
		if (typeof entry !== 'string' || entry.includes('://')) return [];
		const path = posix.join(folder, entry);
		const beside = posix.dirname(path);
		return [beside === '.' ? path : beside];
	});
}
