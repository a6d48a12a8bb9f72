import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Catalogue, groupNames } from '../../config/catalogue.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf } from '../../text/numbers.ts';
import { isUserError, UserError } from '../../types/errors.ts';
import { type ScenarioLines, writeScenarioLines } from '../scenario-lines.ts';
import { listScenarios } from './list-scenarios.ts';
import { readOpenApi } from './read-openapi.ts';

export interface ReadOperations {
	readonly lines: ScenarioLines | undefined;
	readonly notes: readonly string[];
}

/** Throws UserError if `file`, relative to `cwd`, is not OpenAPI. */
export async function readOperations(
	cwd: string,
	file: string,
	methods: readonly string[],
	catalogue: Catalogue,
): Promise<ReadOperations> {
	const api = readOpenApi(await readDocument(path.resolve(cwd, file), file), file);
	const all = listScenarios(api, [...catalogue.scenarios.map(({ name }) => name), ...groupNames(catalogue)]);
	const lines = writeScenarioLines(all, methods, file);
	const othersNote = lines.asked.length === all.length ? '' : ' The others are comments in it, each with the reason.';
	return {
		lines,
		notes: [`It asks ${lines.asked.length} of ${countOf(all.length, 'operation')} of ${file}.${othersNote}`],
	};
}

const PLACES = ['', 'docs', 'api', 'spec', 'openapi'].flatMap((folder) =>
	['openapi.yaml', 'openapi.yml', 'openapi.json'].map((name) => path.posix.join(folder, name)),
);

/** Reads the first usable document at a usual place. Notes name documents that it passes over. */
export async function findOperations(
	cwd: string,
	read: (file: string) => Promise<ReadOperations>,
): Promise<ReadOperations> {
	const passed: string[] = [];
	for (const file of PLACES) {
		const isThere = await access(path.join(cwd, file)).then(
			() => true,
			() => false,
		);
		if (!isThere) continue;
		try {
			const { lines, notes } = await read(file);
			return { lines, notes: [...passed, ...notes] };
		} catch (error) {
			// This is no error, because the user did not name the document.
			if (!isUserError(error)) throw error;
			passed.push(`It passed over ${file}: ${plainText(error.message, NAME_LIMIT)}.`);
		}
	}
	return { lines: undefined, notes: passed };
}

async function readDocument(location: string, name: string): Promise<string> {
	try {
		return await readFile(location, 'utf8');
	} catch (cause) {
		throw new UserError({
			code: 'unreadable-openapi',
			where: `--from ${name}`,
			message: `the document cannot be read (${(cause as NodeJS.ErrnoException).code})`,
			remedy: 'give the path of an OpenAPI 3 document, JSON or YAML',
			cause,
		});
	}
}
