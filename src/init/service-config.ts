import { stringify } from 'yaml';
import { type Catalogue, generalServers, groupNames } from '../config/catalogue.ts';
import { countOf } from '../text/numbers.ts';
import { listFolders, MARGINS, MOST_FOLDERS, NOTHING_TO_DO, prepareComment, word } from './config-parts.ts';
import { type Container, type Database, databaseLines, isDatabaseServer } from './databases.ts';
import type { FoundPackage } from './find-packages.ts';
import { nameOf, type Service } from './find-service.ts';
import type { OperationScenario } from './openapi/list-scenarios.ts';
import { factsOf, isAside, nameCandidate } from './rank-candidates.ts';
import type { InitialConfig, Repository, Started } from './repository.ts';
import { MOST_ASKED, routeScenarios, SAFE_METHODS, type ScenarioLines, writeScenarioLines } from './scenario-lines.ts';

export function serviceConfig(
	chosen: Started | undefined,
	others: readonly Started[],
	repository: Repository,
	catalogue: Catalogue,
): InitialConfig {
	const { top, packages, manager, scenarios: described } = repository;
	const isNode = Object.keys(top.json).length > 0;
	const example = generalServers(catalogue)[0] ?? 'express';
	const head = `# Does a change make this server slower?

${chosen?.service.prepare === undefined ? prepareComment(isNode ? manager : null) : prepareLines(chosen.service.prepare)}
# Folder of bench servers, if they are not the program under test: both sides get them from the base branch.
# harness: [bench]

# Any program that serves HTTP on HOST:PORT. Servers that come with benchgate are named alone: - ${example}
`;
	if (chosen === undefined) {
		const unread =
			repository.unread && `${repository.unread.file} is of ${repository.unread.language}, which init does not read.`;
		const notes = [NOTHING, ...(unread ? [unread] : []), ...(isNode ? [] : [OTHER_LANGUAGE])];
		return { text: head + unknownServer(packages, described) + MARGINS, notes };
	}
	const commented = others
		.slice(0, MOST_FOLDERS)
		.map((other) =>
			[`${nameCandidate(other)}`, ...serverLines(other, catalogue)].map((line) => `  # ${line}\n`).join(''),
		);
	const server = serverLines(chosen, catalogue).map(
		(line, at) => `${at === 0 ? '  - ' : '    '}${line.replace(/^- |^ {2}/, '')}\n`,
	);
	const { text: scenarios, notes, found } = scenariosOf(chosen.service, described, catalogue);
	const text = `${head}servers:
${server.join('')}${commented.join('')}
${scenarios}`;
	const containers = containersFor(chosen.service, repository.containers);
	return {
		text: text + MARGINS,
		notes: [...notesOf(chosen, others), ...notes],
		containers,
		scenarios: { text: scenarios, found },
	};
}

/** An OpenAPI document is more complete than code; without routes the top page is requested. */
function scenariosOf(
	{ routes, health }: Service,
	described: ScenarioLines | undefined,
	catalogue: Catalogue,
): { readonly text: string; readonly notes: readonly string[]; readonly found: readonly OperationScenario[] } {
	if (described?.asked.length) return { text: described.text, notes: [], found: described.all };
	const taken = [...catalogue.scenarios.map(({ name }) => name), ...groupNames(catalogue)];
	const found = routeScenarios(routes, health, taken);
	const routeLines = writeScenarioLines(found, SAFE_METHODS, 'its code', MOST_ASKED);
	const documentText = described?.text ?? '';
	const others = routeLines.text.includes('# - name:') ? ' Others are comments in it.' : '';
	if (routeLines.asked.length > 0) {
		return {
			text: routeLines.text + documentText,
			found,
			notes: [`It asks ${routeLines.asked.length} of ${countOf(routes.length, 'route')} found in its code.${others}`],
		};
	}
	const note =
		routes.length === 0
			? NO_ROUTE
			: 'Every route found in its code has a parameter, so it asks /: put values in those of the config.';
	return { text: TOP_PAGE + (routes.length === 0 ? '' : routeLines.text) + documentText, notes: [note], found };
}

const TOP_PAGE = `scenarios:
  # One request with its right answer. Wrong answers are never counted as fast.
  - name: home
    request: { path: / }
    expect: { status: 200 }
    load: { connections: 20 }
    # threshold: 8%
`;

const NO_ROUTE = 'No route was found in its code, so it asks /: name the request that should be fast.';

const NOTHING =
	'No command that starts a server was found, so the lines for it are comments: write the command of yours, or of a bench server if others load this package; see docs/servers.md.';

const OTHER_LANGUAGE =
	'There is no package.json: for a server in Python, Go or another language see docs/tutorials/other-language.md.';

function prepareLines(command: string): string {
	return `# ${command === NOTHING_TO_DO ? 'There is nothing to install or to build.' : 'Run once per side: installs and builds it.'}
prepare: ${stringify(command, { lineWidth: 0 }).trim()}
`;
}

function notesOf(chosen: Started, others: readonly Started[]): string[] {
	const { found, service } = chosen;
	const because = others.length === 0 ? '' : `, the most likely of ${others.length + 1} (${factsOf(chosen)})`;
	const notes =
		found.folder === '.' && others.length === 0 ? [] : [`It starts the server of ${word(found.folder)}${because}.`];
	if (isAside(found.folder)) {
		notes.push(
			'That looks like an example, and not like what this repository is for: name the server that should be fast, or write a bench server for a package; see docs/servers.md.',
		);
	}
	if (others.length > 0)
		notes.push(`Others${others.length > MOST_FOLDERS ? '' : ' are comments in it'}: ${listFolders(others)}.`);
	if (service.readsPort === false) {
		notes.push(
			'Its program does not seem to read PORT, as it must: base and head run at the same time. Where commits do not, prepare: can fix them; see docs/servers.md.',
		);
	}
	if (service.database !== null) {
		const { client, isOwn } = service.database;
		const lines = isOwn
			? 'start: and stop: make a database for each process at 127.0.0.1, as user and password postgres'
			: 'give each process a database of its own with start: and stop:, whose lines are comments';
		notes.push(`It uses ${client}: ${lines}; see docs/tutorials/service-database.md.`);
	}
	return [...notes, ...(service.notes ?? [])];
}

function serverLines({ found, service }: Started, catalogue: Catalogue): string[] {
	const name = serverName(nameOf(found.json) || found.folder, catalogue);
	const ready =
		service.health === null ? '# ready: { path: /healthz, timeout: 30s }' : `ready: { path: ${service.health} }`;
	return [
		`- name: ${stringify(name).trim()}`,
		`  command: ${stringify(service.command, { lineWidth: 0 }).trim()}`,
		found.folder === '.' ? '  # cwd: .' : `  cwd: ${word(found.folder)}`,
		...(service.database === null ? [] : databaseComment(service.database)),
		...envLines(service.env),
		'  # Ready when this path answers; without it, when the port accepts a connection.',
		`  ${ready}`,
	];
}

const MOST_IN_LINE = 3;

function envLines(env: Service['env']): readonly string[] {
	if (env === undefined) return ['  # env: { LOG_LEVEL: silent }'];
	const isShort = Object.keys(env).length <= MOST_IN_LINE;
	const text = stringify(env, { collectionStyle: isShort ? 'flow' : 'block', lineWidth: 0 }).trim();
	return isShort ? [`  env: ${text}`] : ['  env:', ...text.split('\n').map((line) => `    ${line}`)];
}

function containersFor({ database }: Service, composed: readonly Container[]): readonly Container[] {
	if (database === null || !isDatabaseServer(database)) return [];
	const isThere = composed.some(({ kind }) => kind === database.kind);
	const used = composed.filter(({ kind }) => kind === database.kind || kind === 'redis');
	return isThere ? used : [{ kind: database.kind }, ...used];
}

function databaseComment(database: Database): readonly string[] {
	const lines = databaseLines(database);
	const why = '  # Before each process, and after it: a database of its own, with the same rows every time.';
	return lines.length === 0 ? [] : [why, ...lines.map((line) => `  ${database.isOwn ? '' : '# '}${line}`)];
}

function unknownServer(packages: readonly FoundPackage[], scenarios: ScenarioLines | undefined): string {
	const folders = packages.slice(0, MOST_FOLDERS).map(({ folder }) => word(folder));
	const cwd = folders.length === 0 ? '.' : `. # or ${folders.join(', ')}`;
	return `# servers:
#   - name: server
#     command: node server.js
#     cwd: ${cwd}
#     ready: { path: /healthz, timeout: 30s }

${scenarios?.text ?? SOME_SCENARIO}`;
}

const SOME_SCENARIO = `# scenarios:
#   - name: home
#     request: { path: / }
#     expect: { status: 200 }
`;

/** Drops the scope and invalid characters; avoids built-in names. */
function serverName(packageName: string, catalogue: Catalogue): string {
	const bare = packageName.replace(/^@[^/]*\//, '').replace(/[^A-Za-z0-9._-]/g, '-');
	const name = bare.replace(/^[^A-Za-z0-9]+/, '').slice(0, 50) || 'server';
	return catalogue.servers.some((server) => server.name === name) ? `my-${name}` : name;
}
