import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { groupNames } from '../config/catalogue.ts';
import { parseConfig } from '../config/file/parse-config.ts';
import { loadCatalogue } from '../config/load-catalogue.ts';
import { CONFIG_NAMES, findConfig } from '../config/load-config.ts';
import { TOOL_ROOT } from '../process/entries.ts';
import { parseJson } from '../text/json.ts';
import { UserError } from '../types/errors.ts';
import { type Container, readCompose } from './databases.ts';
import { exploreRoutes } from './explore-routes.ts';
import { findMiddleware } from './find-middleware.ts';
import { describePackage, findManager, findWorkspaces, type PackageJson } from './find-packages.ts';
import { type Choose, initialConfig } from './initial-config.ts';
import {
	ACTION_USE,
	INITIAL_BRANCH,
	type InitialWorkflow,
	initialWorkflows,
	onBranch,
	WORKFLOW_FOLDER,
} from './initial-workflow.ts';
import { findBenchServer, isTaken } from './languages/bench-servers.ts';
import { findOthers, findUnread } from './languages/find-other.ts';
import type { OperationScenario } from './openapi/list-scenarios.ts';
import { findOperations, readOperations } from './openapi/read-operations.ts';
import { SAFE_METHODS } from './scenario-lines.ts';

const FILE = CONFIG_NAMES[0];

export interface InitialOptions {
	/** OpenAPI document relative to the folder, for scenarios. */
	readonly openapi?: string | undefined;
	readonly methods?: readonly string[];
	readonly toolFolder?: string;
	/** Asks which of several services is meant; by default the most likely one. */
	readonly choose?: Choose | undefined;
}

export interface Explorable {
	/** The block of scenarios in `whole`. */
	readonly text: string;
	readonly found: readonly OperationScenario[];
	readonly taken: readonly string[];
	readonly file: string;
	readonly whole: string;
}

export interface Written {
	/** For the terminal. */
	readonly summary: string;
	/** For a service whose scenarios were guessed. */
	readonly explore: Explorable | undefined;
}

/**
 * Writes a commented `benchgate.yml` and, at the top of a git repository that does not use the action, the workflows.
 * Returns a summary for the terminal. Overwrites nothing. Throws UserError if a config exists, or a file is malformed.
 */
export async function writeInitialConfig(
	cwd: string,
	{ openapi, methods = SAFE_METHODS, toolFolder = TOOL_ROOT, choose }: InitialOptions = {},
): Promise<Written> {
	const existing = await findConfig(cwd);
	if (existing !== undefined) return { summary: await addWorkflows(cwd, existing), explore: undefined };
	const catalogue = await loadCatalogue(toolFolder);
	const packageJson = await readPackage(cwd);
	const json = packageJson ?? {};
	const top = await describePackage(cwd, '.', json);
	const packages = await findWorkspaces(cwd, packageJson);
	const manager = await findManager(cwd, json);
	const read = (file: string) => readOperations(cwd, file, methods, catalogue);
	const isNamed = openapi !== undefined;
	const described = isNamed ? await read(openapi) : await findOperations(cwd, read);
	const others = await findOthers(cwd);
	const scenarios = described.lines;
	const [unread, containers] = [await findUnread(cwd), await findContainers(cwd)];
	const bench = await findBenchServer(cwd);
	const middleware = (await isTaken(cwd)) ? null : findMiddleware(top, manager);
	const repository = { top, packages, manager, others, bench, middleware, unread, containers, scenarios, isNamed };
	const {
		text,
		notes,
		containers: needed = [],
		scenarios: block,
		files = {},
	} = await initialConfig(repository, catalogue, choose);
	const { servers = [] } = parseConfig(text, FILE, catalogue);
	await writeOnce(path.join(cwd, FILE), text);
	for (const [file, program] of Object.entries(files)) {
		await mkdir(path.join(cwd, path.dirname(file)), { recursive: true });
		await writeFile(path.join(cwd, file), program, { flag: 'wx' });
	}
	const loaded = servers.map((server) => (typeof server === 'string' ? server : `${server.name} (${server.command})`));
	const loads = loaded.length === 0 ? '' : ` It loads ${loaded.join(', ')}.`;
	const workflows = await writeWorkflows(cwd, needed);
	const isUsed = scenarios === undefined ? !text.includes('scenarios: [core]') : text.includes(scenarios.text);
	const documentNotes = isUsed ? described.notes : [];
	const noteText = [...notes, ...documentNotes].map((note) => `${note}\n`).join('');
	const next = loaded.length === 0 ? 'Complete it' : 'Look it over';
	const summary = `Wrote ${FILE}.${loads}\n${noteText}${workflows}${next}, then try it: npx benchgate check`;
	const taken = [...catalogue.scenarios.map(({ name }) => name), ...groupNames(catalogue)];
	const explore =
		block === undefined || isNamed ? undefined : { ...block, taken, file: path.join(cwd, FILE), whole: text };
	return { summary, explore };
}

/** Replaces the scenarios by those that the server answers. Returns a sentence; leaves an edited config. */
export async function writeAnswered(
	{ text, found, taken, file, whole }: Explorable,
	ask: Parameters<typeof exploreRoutes>[0],
	methods: readonly string[],
): Promise<string> {
	const { lines, note } = await exploreRoutes(ask, found, methods, taken);
	const isOurs = (await readFile(file, 'utf8').catch(() => '')) === whole;
	if (lines === null || !isOurs) return note;
	await writeFile(
		file,
		whole.replace(text, () => lines.text),
	);
	return `${note} ${FILE} now asks ${lines.asked.join(', ')}.`;
}

/** Beside a config that was there, writes what a first run lacked, such as a git repository. */
async function addWorkflows(cwd: string, config: string): Promise<string> {
	const workflows = await writeWorkflows(cwd, []);
	if (!workflows.includes('Wrote ')) throw existsError(config);
	return `${config} is left as it is.\n${workflows}Look it over, then try it: npx benchgate check`;
}

async function writeWorkflows(cwd: string, containers: readonly Container[]): Promise<string> {
	const isTop = await access(path.join(cwd, '.git')).then(
		() => true,
		() => false,
	);
	if (!isTop) return 'No workflow was written, because this folder is not the top of a git repository.\n';
	if (await usesAction(path.join(cwd, WORKFLOW_FOLDER))) return '';
	const lines: string[] = [];
	const branch = await defaultBranch(cwd);
	for (const workflow of initialWorkflows(containers)) {
		lines.push(await writeWorkflow(cwd, { ...workflow, text: onBranch(workflow.text, branch) }));
	}
	return lines.join('');
}

async function writeWorkflow(cwd: string, { file, purpose, text }: InitialWorkflow): Promise<string> {
	try {
		await mkdir(path.join(cwd, path.dirname(file)), { recursive: true });
		await writeFile(path.join(cwd, file), text, { flag: 'wx' });
		return `Wrote ${file}, which ${purpose}.\n`;
	} catch (error) {
		return `Did not write ${file} (${(error as NodeJS.ErrnoException).code}).\n`;
	}
}

async function findContainers(cwd: string): Promise<readonly Container[]> {
	for (const name of ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml']) {
		const text = await readFile(path.join(cwd, name), 'utf8').catch(() => null);
		if (text !== null) return readCompose(text);
	}
	return [];
}

/** From the clone's origin, else `main`. */
async function defaultBranch(cwd: string): Promise<string> {
	const refText = await readFile(path.join(cwd, '.git/refs/remotes/origin/HEAD'), 'utf8').catch(() => '');
	return /^ref: refs\/remotes\/origin\/([A-Za-z0-9._/-]+)$/m.exec(refText)?.[1] ?? INITIAL_BRANCH;
}

async function usesAction(folder: string): Promise<boolean> {
	const names = await readdir(folder).catch(() => []);
	const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8').catch(() => '')));
	return texts.some((text) => ACTION_USE.test(text));
}

async function writeOnce(location: string, text: string): Promise<void> {
	try {
		await writeFile(location, text, { flag: 'wx' });
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		if (code === 'EEXIST') throw existsError(FILE);
		throw new UserError({
			code: 'cannot-write',
			message: `the config cannot be written (${code})`,
			where: location,
			remedy: 'run benchgate init in a folder you can write to',
			cause,
		});
	}
}

async function readPackage(cwd: string): Promise<PackageJson | null> {
	const text = await readFile(path.join(cwd, 'package.json'), 'utf8').catch(() => null);
	if (text === null) return null;
	try {
		return parseJson(text) as PackageJson;
	} catch (cause) {
		throw new UserError({
			code: 'bad-package',
			message: `package.json is not JSON: ${(cause as Error).message}`,
			where: path.join(cwd, 'package.json'),
			remedy: 'correct it and run benchgate init again',
			cause,
		});
	}
}

function existsError(name: string): UserError {
	return new UserError({
		code: 'config-exists',
		message: 'there is a config already, and it is left as it is',
		where: name,
		remedy: 'edit it, or move it away and run benchgate init again',
	});
}
