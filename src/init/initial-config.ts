/** The first `benchgate.yml`, made from what a repository has. */
import { stringify } from 'yaml';
import { type Catalogue, generalServers, serversUsing } from '../config/catalogue.ts';
import { benchConfig } from './bench-config.ts';
import { MARGINS, PREPARE, word } from './config-parts.ts';
import type { FoundPackage } from './find-packages.ts';
import { findService, isLibrary, nameOf, type Service, servesHttp } from './find-service.ts';
import type { ScenarioLines } from './openapi/scenario-lines.ts';

/** Folders of a repository whose programs show what it is for, and are not what it is for. */
const ASIDE =
	/^(?:examples?|playgrounds?|sandbox|demos?|docs|website|www|fixtures?|tests?|e2e|bench(?:mark)?s?|templates?)$/;

/** Folders that a comment or a sentence names, and servers that are comments. */
const MOST_FOLDERS = 8;

/** A repository as init sees it. */
export interface Repository {
	/** The package of the folder the config is written for. */
	readonly top: FoundPackage;
	/** Packages of its workspace. */
	readonly packages: readonly FoundPackage[];
	/** What runs the scripts of a package: `pnpm`. */
	readonly manager: string;
	/** From an OpenAPI document of a server; absent when none was named. */
	readonly scenarios?: ScenarioLines | undefined;
}

/** A config, and what the user should know of it. */
export interface InitialConfig {
	readonly text: string;
	/** Sentences for the terminal: what was found, and what cannot be known. */
	readonly notes: readonly string[];
}

interface Framework {
	readonly found: FoundPackage;
	readonly servers: readonly string[];
}

interface Started {
	readonly found: FoundPackage;
	readonly service: Service;
}

/**
 * Returns a commented config that suits the repository: for a package that built-in servers use, those servers with the package
 * as subject; else a server of its own, started the way its package.json says. Of a workspace the first package that matters is
 * chosen, and others are commented lines. Nothing is written that is known to fail: where nothing says how a server is started,
 * the lines for it are comments.
 */
export function initialConfig(repository: Repository, catalogue: Catalogue): InitialConfig {
	const { top, packages, manager, scenarios } = repository;
	const all = [top, ...packages];
	const frameworks = all.flatMap((found) => {
		const servers = usersOf(found, catalogue);
		return servers.length === 0 ? [] : [{ found, servers }];
	});
	const services = all.flatMap((found) => {
		// The start script of a workspace often starts all of its packages.
		if (found === top && packages.length > 0 && !servesHttp(found)) return [];
		// What is published from a workspace is started to try it out.
		if (found !== top && isLibrary(found.json)) return [];
		const service = findService(found, manager);
		return service === null || (packages.length > 0 && !servesHttp(found)) ? [] : [{ found, service }];
	});
	const named = ({ found, servers }: Framework) => Number(servers.includes(nameOf(found.json)));
	const [framework, ...otherFrameworks] = frameworks.toSorted((a, b) => named(b) - named(a));
	// Who names a document has a server of their own.
	const ownServer = scenarios !== undefined;
	if (framework !== undefined && !ownServer) return frameworkConfig(framework, otherFrameworks);
	const isMeant = ({ found }: Started) => !found.folder.split('/').some((part) => ASIDE.test(part));
	const libraries = all.filter(({ json }) => isLibrary(json));
	const library = libraries.find(servesHttp) ?? (libraries.includes(top) ? top : undefined);
	if (library !== undefined && !ownServer && !services.some(isMeant)) return benchConfig(library);
	const [service, ...otherServices] = services.toSorted((a, b) => Number(isMeant(b)) - Number(isMeant(a)));
	return serviceConfig(service, otherServices, repository, catalogue, service !== undefined && !isMeant(service));
}

/** A private package may have the name of a published one, which is then another. */
function usersOf({ json }: FoundPackage, catalogue: Catalogue): readonly string[] {
	return json.private === true ? [] : serversUsing(nameOf(json), catalogue);
}

function frameworkConfig({ found, servers }: Framework, others: readonly Framework[]): InitialConfig {
	const name = nameOf(found.json);
	const also = others.map(
		(other) => `# subject: ${word(other.found.folder)} # servers: [${other.servers.join(', ')}]\n`,
	);
	const text = `# Does a change make servers that use ${name} slower?

# Folder of the package. It is packed on each side and installed into the servers below.
subject: ${word(found.folder)}
${also.join('')}
${PREPARE}
# Servers that come with benchgate; see benchgate list.
servers:
${servers.map((user) => `  - ${user}`).join('\n')}

# Scenarios or groups that come with benchgate, or your own.
scenarios: [core]
`;
	const notes = found.folder === '.' ? [] : [`It measures ${name}, in ${word(found.folder)}.`];
	if (others.length > 0) notes.push(`Others are comments in it: ${listFolders(others)}.`);
	return { text: text + MARGINS, notes };
}

function serviceConfig(
	chosen: Started | undefined,
	others: readonly Started[],
	{ top, packages, scenarios }: Repository,
	catalogue: Catalogue,
	isAside: boolean,
): InitialConfig {
	const example = generalServers(catalogue)[0] ?? 'express';
	const head = `# Does a change make this server slower?

${PREPARE}
# Folder of bench servers, if they are not the program under test: both sides get them from the base branch.
# harness: [bench]

# Any program that serves HTTP on HOST:PORT. Servers that come with benchgate are named alone: - ${example}
`;
	if (chosen === undefined) {
		const notes = Object.keys(top.json).length === 0 ? [NOTHING, OTHER_LANGUAGE] : [NOTHING];
		return { text: head + unknownServer(packages, scenarios) + MARGINS, notes };
	}
	const { service } = chosen;
	const commented = others.slice(0, MOST_FOLDERS).map((other) =>
		serverLines(other, catalogue)
			.map((line) => `  # ${line}\n`)
			.join(''),
	);
	const server = serverLines(chosen, catalogue).map(
		(line, at) => `${at === 0 ? '  - ' : '    '}${line.replace(/^- |^ {2}/, '')}\n`,
	);
	const asked = scenarios?.asked.length ? scenarios.text : `${oneScenario(service.path)}${scenarios?.text ?? ''}`;
	const text = `${head}servers:
${server.join('')}${commented.join('')}
${asked}`;
	return { text: text + MARGINS, notes: notesOf(chosen, others, isAside) };
}

function oneScenario(path: string): string {
	return `scenarios:
  # One request with its right answer. Wrong answers are never counted as fast.
  - name: ${path === '/' ? 'home' : 'first'}
    request: { path: ${word(path)} }
    expect: { status: 200 }
    load: { connections: 20 }
    # threshold: 8%
`;
}

const NOTHING =
	'Nothing here tells how a server is started, so the lines for it are comments: write the command of yours.';

const OTHER_LANGUAGE =
	'There is no package.json: for a server in Python, Go or another language see docs/tutorials/other-language.md.';

function notesOf({ found, service }: Started, others: readonly Started[], isAside: boolean): string[] {
	const notes = found.folder === '.' ? [] : [`It starts the server of ${word(found.folder)}.`];
	if (isAside) {
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
	return notes;
}

/** The lines of a server in the list of them, the first with its dash. */
function serverLines({ found, service }: Started, catalogue: Catalogue): string[] {
	const name = serverName(nameOf(found.json) || found.folder, catalogue);
	const ready =
		service.health === null ? '# ready: { path: /healthz, timeout: 30s }' : `ready: { path: ${service.health} }`;
	return [
		`- name: ${stringify(name).trim()}`,
		`  command: ${stringify(service.command, { lineWidth: 0 }).trim()}`,
		found.folder === '.' ? '  # cwd: .' : `  cwd: ${word(found.folder)}`,
		'  # env: { LOG_LEVEL: silent }',
		'  # Ready when this path answers; without it, when the port accepts a connection.',
		`  ${ready}`,
	];
}

function unknownServer(packages: readonly FoundPackage[], scenarios: ScenarioLines | undefined): string {
	const folders = packages.slice(0, MOST_FOLDERS).map(({ folder }) => word(folder));
	const cwd = folders.length === 0 ? '.' : `${folders[0]} # or ${folders.slice(1).join(', ')}`.replace(/ # or $/, '');
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

function listFolders(all: readonly { readonly found: FoundPackage }[]): string {
	const rest = all.length - MOST_FOLDERS;
	const named = all.slice(0, MOST_FOLDERS).map(({ found }) => word(found.folder));
	return named.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** The package name as a server name: without scope, only characters a name may have, not the name of anything built in. */
function serverName(packageName: string, catalogue: Catalogue): string {
	const bare = packageName.replace(/^@[^/]*\//, '').replace(/[^A-Za-z0-9._-]/g, '-');
	const name = bare.replace(/^[^A-Za-z0-9]+/, '').slice(0, 50) || 'server';
	return catalogue.servers.some((server) => server.name === name) ? `my-${name}` : name;
}
