import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseConfig } from '../config/file/parse-config.ts';
import { loadCatalogue } from '../config/load-catalogue.ts';
import { CONFIG_NAMES, findConfig } from '../config/load-config.ts';
import { TOOL_ROOT } from '../process/entries.ts';
import { parseJson } from '../text/json.ts';
import { UserError } from '../types/errors.ts';
import { describePackage, findManager, findWorkspaces, type PackageJson } from './find-packages.ts';
import { initialConfig } from './initial-config.ts';
import {
	ACTION_USE,
	INITIAL_BRANCH,
	INITIAL_WORKFLOWS,
	type InitialWorkflow,
	onBranch,
	WORKFLOW_FOLDER,
} from './initial-workflow.ts';
import { findOther } from './languages/find-other.ts';
import { findOperations, readOperations } from './openapi/read-operations.ts';
import { SAFE_METHODS } from './scenario-lines.ts';

const FILE = CONFIG_NAMES[0];

export interface InitialOptions {
	/** OpenAPI document relative to the folder, for scenarios. */
	readonly openapi?: string | undefined;
	readonly methods?: readonly string[];
	readonly toolFolder?: string;
}

/**
 * Writes a commented `benchgate.yml` and, at the top of a git repository that does not use the action, the workflows.
 * Returns a summary for the terminal. Overwrites nothing. Throws a UserError if a config exists, package.json is not
 * JSON, or the document is not OpenAPI 3.
 */
export async function writeInitialConfig(
	cwd: string,
	{ openapi, methods = SAFE_METHODS, toolFolder = TOOL_ROOT }: InitialOptions = {},
): Promise<string> {
	const existing = await findConfig(cwd);
	if (existing !== undefined) throw existsError(existing);
	const catalogue = await loadCatalogue(toolFolder);
	const packageJson = await readPackage(cwd);
	const json = packageJson ?? {};
	const top = await describePackage(cwd, '.', json);
	const packages = await findWorkspaces(cwd, packageJson);
	const manager = await findManager(cwd, json);
	const read = (file: string) => readOperations(cwd, file, methods, catalogue);
	const isNamed = openapi !== undefined;
	const described = isNamed ? await read(openapi) : await findOperations(cwd, read);
	const other = await findOther(cwd);
	const scenarios = described.lines;
	const repository = { top, packages, manager, other, scenarios, isNamed };
	const { text, notes } = await initialConfig(repository, catalogue);
	const { servers = [] } = parseConfig(text, FILE, catalogue);
	await writeOnce(path.join(cwd, FILE), text);
	const loaded = servers.map((server) => (typeof server === 'string' ? server : `${server.name} (${server.command})`));
	const loads = loaded.length === 0 ? '' : ` It loads ${loaded.join(', ')}.`;
	const workflows = await writeWorkflows(cwd);
	const isUsed = scenarios === undefined ? !text.includes('scenarios: [core]') : text.includes(scenarios.text);
	const documentNotes = isUsed ? described.notes : [];
	const noteText = [...notes, ...documentNotes].map((note) => `${note}\n`).join('');
	const next = loaded.length === 0 ? 'Complete it' : 'Look it over';
	return `Wrote ${FILE}.${loads}\n${noteText}${workflows}${next}, then try it: npx benchgate check`;
}

/** An unwritable folder is reported without failing. */
async function writeWorkflows(cwd: string): Promise<string> {
	const isTop = await access(path.join(cwd, '.git')).then(
		() => true,
		() => false,
	);
	if (!isTop || (await usesAction(path.join(cwd, WORKFLOW_FOLDER)))) return '';
	const lines: string[] = [];
	const branch = await defaultBranch(cwd);
	for (const workflow of INITIAL_WORKFLOWS) {
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
