import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseConfig } from '../config/file/parse-config.ts';
import { loadCatalogue } from '../config/load-catalogue.ts';
import { CONFIG_NAMES, findConfig } from '../config/load-config.ts';
import { TOOL_ROOT } from '../process/entries.ts';
import { UserError } from '../types/errors.ts';
import { initialConfig, type PackageJson } from './initial-config.ts';
import { ACTION_USE, INITIAL_WORKFLOW, WORKFLOW_FILE } from './initial-workflow.ts';

const FILE = CONFIG_NAMES[0];

/**
 * Writes a commented `benchgate.yml` that suits the package in `cwd`, and in the top folder of a git repository without a
 * workflow of ours that too. Returns what was written and what to do next, for the terminal. Throws a UserError when there is a config already (nothing is overwritten) or the package.json is not JSON.
 */
export async function writeInitialConfig(cwd: string, toolFolder = TOOL_ROOT): Promise<string> {
	const existing = await findConfig(cwd);
	if (existing !== undefined) throw existsError(existing);
	const catalogue = await loadCatalogue(toolFolder);
	const text = initialConfig(await readPackage(cwd), catalogue);
	const { servers = [] } = parseConfig(text, FILE, catalogue);
	await writeOnce(path.join(cwd, FILE), text);
	const loaded = servers.map((server) => (typeof server === 'string' ? server : `${server.name} (${server.command})`));
	const workflow = await writeWorkflow(cwd);
	return `Wrote ${FILE}. It loads ${loaded.join(', ')}.\n${workflow}Look it over, then try: benchgate compare --base HEAD --head .`;
}

/** Writes the workflow where one makes sense and there is none; a folder that cannot be written does without. */
async function writeWorkflow(cwd: string): Promise<string> {
	const isTop = await access(path.join(cwd, '.git')).then(
		() => true,
		() => false,
	);
	if (!isTop || (await usesAction(path.join(cwd, path.dirname(WORKFLOW_FILE))))) return '';
	try {
		await mkdir(path.join(cwd, path.dirname(WORKFLOW_FILE)), { recursive: true });
		await writeFile(path.join(cwd, WORKFLOW_FILE), INITIAL_WORKFLOW, { flag: 'wx' });
		return `Wrote ${WORKFLOW_FILE}, which compares every pull request with its base.\n`;
	} catch (error) {
		return `Did not write ${WORKFLOW_FILE} (${(error as NodeJS.ErrnoException).code}).\n`;
	}
}

/** Whether a workflow in `folder` uses the action already. */
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
		return JSON.parse(text) as PackageJson;
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
