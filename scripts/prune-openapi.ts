/**
 * Writes test/support/github/description/openapi.json: the operations of GitHub's OpenAPI description that benchgate
 * uses, with everything they refer to, without prose. The argument is `generated/api.github.com.json` of an unpacked
 * package `@octokit/openapi`.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OPERATIONS = [
	'actions/download-artifact',
	'actions/get-artifact',
	'actions/get-workflow-run',
	'actions/list-jobs-for-workflow-run',
	'actions/list-workflow-run-artifacts',
	'actions/list-workflow-runs',
	'actions/re-run-workflow',
	'actions/list-workflow-runs-for-repo',
	'apps/get-authenticated',
	'checks/create',
	'checks/get',
	'checks/list-annotations',
	'checks/list-for-ref',
	'checks/update',
	'git/get-ref',
	'git/get-tree',
	'issues/create',
	'issues/create-comment',
	'issues/delete-comment',
	'issues/get',
	'issues/get-comment',
	'issues/list-comments',
	'issues/list-events',
	'issues/list-events-for-timeline',
	'issues/list-for-repo',
	'issues/list-labels-on-issue',
	'issues/update',
	'issues/update-comment',
	'pulls/get',
	'pulls/list',
	'pulls/list-files',
	'rate-limit/get',
	'reactions/create-for-issue-comment',
	'repos/compare-commits-with-basehead',
	'repos/create-commit-status',
	'repos/get',
	'repos/get-collaborator-permission-level',
	'repos/get-commit',
	'repos/get-content',
	'repos/get-latest-release',
	'repos/list-pull-requests-associated-with-commit',
	'repos/list-tags',
	'users/get-authenticated',
];
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
/** Prose, and keys that only documentation needs. */
const DROPPED = new Set([
	'description',
	'summary',
	'title',
	'example',
	'examples',
	'tags',
	'callbacks',
	'externalDocs',
	'deprecated',
]);
/** Keys whose values are maps from names, which may be any word. */
const MAPS = new Set(['properties', 'schemas', 'parameters', 'responses', 'headers', 'content', 'patternProperties']);
const OUTPUT = new URL('../test/support/github/description/', import.meta.url);

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

function isObject(value: Json | undefined): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns the value without prose and without vendors' extensions, except the one that marks a parameter with slashes.
 */
function withoutProse(value: Json, isMap = false): Json {
	if (Array.isArray(value)) return value.map((item) => withoutProse(item));
	if (!isObject(value)) return value;
	const kept = Object.entries(value).filter(
		([key]) => isMap || (!DROPPED.has(key) && (!key.startsWith('x-') || key === 'x-multi-segment')),
	);
	return Object.fromEntries(
		kept.map(([key, part]) => [
			key,
			key === 'enum' || key === 'default' ? part : withoutProse(part, !isMap && MAPS.has(key) && isObject(part)),
		]),
	);
}

/** Returns the paths with a used operation; each operation keeps the address of its documentation. */
function pickPaths(all: JsonObject): JsonObject {
	const missing = new Set(OPERATIONS);
	const picked: JsonObject = {};
	for (const [path, item] of Object.entries(all)) {
		for (const method of METHODS) {
			const operation = (item as JsonObject)[method];
			if (!isObject(operation) || !missing.delete(String(operation.operationId))) continue;
			const docs = (operation.externalDocs as JsonObject | undefined)?.url;
			const kept = withoutProse(operation) as JsonObject;
			picked[path] = {
				...(picked[path] as JsonObject),
				[method]: { ...kept, ...(docs && { externalDocs: { url: docs } }) },
			};
		}
	}
	if (missing.size > 0) throw new Error(`not in the description: ${[...missing].join(', ')}`);
	return picked;
}

function referencesIn(value: Json): string[] {
	if (Array.isArray(value)) return value.flatMap(referencesIn);
	if (!isObject(value)) return [];
	return Object.entries(value).flatMap(([key, part]) =>
		key === '$ref' && typeof part === 'string' ? [part] : referencesIn(part),
	);
}

/** Returns the components that `paths` refers to, directly or through others, sorted by name. */
function pickComponents(paths: JsonObject, all: JsonObject): JsonObject {
	const components = new Map<string, Json>();
	const queue = referencesIn(paths);
	for (let reference = queue.pop(); reference !== undefined; reference = queue.pop()) {
		if (components.has(reference)) continue;
		const [, , kind = '', name = ''] = reference.split('/');
		const component = withoutProse((all[kind] as JsonObject)[name] as Json);
		components.set(reference, component);
		queue.push(...referencesIn(component));
	}
	const picked: Record<string, JsonObject> = {};
	for (const [reference, component] of [...components].sort(([a], [b]) => (a < b ? -1 : 1))) {
		const [, , kind = '', name = ''] = reference.split('/');
		picked[kind] ??= {};
		picked[kind][name] = component;
	}
	return picked;
}

const [file] = process.argv.slice(2);
if (file === undefined) {
	console.error('usage: node scripts/prune-openapi.ts PACKAGE/generated/api.github.com.json');
	process.exit(2);
}
const folder = dirname(dirname(file));
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string; license: string };
const source = JSON.parse(readFileSync(file, 'utf8')) as Record<string, JsonObject>;
const paths = pickPaths(source.paths ?? {});
const pruned = {
	openapi: source.openapi,
	info: {
		title: source.info?.title,
		version: source.info?.version,
		license: source.info?.license,
		'x-source': `@octokit/openapi ${manifest.version} (${manifest.license}), generated/api.github.com.json, pruned by scripts/prune-openapi.ts`,
	},
	paths,
	components: pickComponents(paths, source.components ?? {}),
};
const output = new URL('openapi.json', OUTPUT);
writeFileSync(output, `${JSON.stringify(pruned)}\n`);
// Formatted as in the repository, so that a new version of the description gives a readable diff.
execFileSync('npx', ['biome', 'format', '--write', fileURLToPath(output)], { stdio: 'inherit' });
copyFileSync(join(folder, 'LICENSE'), new URL('LICENSE-openapi', OUTPUT));
