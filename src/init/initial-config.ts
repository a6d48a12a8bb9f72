/** Chooses the first `benchgate.yml` for a repository. */
import { type Catalogue, serversUsing } from '../config/catalogue.ts';
import { listFolders, MARGINS, prepareComment, word } from './config-parts.ts';
import { withExampleEnv } from './example-env.ts';
import type { FoundPackage } from './find-packages.ts';
import { findService, isFramework, isLibrary, nameOf, recordOf, servesHttp } from './find-service.ts';
import { dependentsOf, isAside, nameCandidate, rankLibraries, rankServices } from './rank-candidates.ts';
import type { InitialConfig, Repository, Started } from './repository.ts';
import { serviceConfig } from './service-config.ts';

const NOTE =
	'This package is loaded by others, and no built-in server loads it. It needs a bench server, a small program that does: the lines for one are comments; see docs/servers.md.';

/** Returns the index of one of several candidates, each described in a line. */
export type Choose = (candidates: readonly string[]) => Promise<number>;

interface Framework {
	readonly found: FoundPackage;
	readonly servers: readonly string[];
}

/** Returns a commented config of the package that built-in servers use, or else of the server that package.json starts. */
export async function initialConfig(
	repository: Repository,
	catalogue: Catalogue,
	choose?: Choose,
): Promise<InitialConfig> {
	const { top, packages, manager, isNamed = false } = repository;
	const all = [top, ...packages];
	const frameworks = all.flatMap((npmPackage) => {
		const servers = usersOf(npmPackage, catalogue);
		return servers.length === 0 ? [] : [{ found: npmPackage, servers }];
	});
	const services: Started[] = [];
	for (const npmPackage of all) {
		// A start script at the top often starts all packages, and that of a published package tries it.
		if (packages.length > 0 && (!servesHttp(npmPackage) || (npmPackage !== top && isLibrary(npmPackage.json))))
			continue;
		const service = await findService(npmPackage, manager);
		if (service !== null) services.push({ found: npmPackage, service });
	}
	const named = ({ found, servers }: Framework) => Number(servers.includes(nameOf(found.json)));
	const [framework, ...otherFrameworks] = frameworks.toSorted((a, b) => named(b) - named(a));
	// A user who names an OpenAPI document has a server.
	if (framework !== undefined && !isNamed) return frameworkConfig(framework, otherFrameworks, manager);
	if (repository.bench !== null && !isNamed) return repository.bench;
	const libraries = rankLibraries(all);
	const library =
		libraries.find(isFramework) ?? libraries.find(servesHttp) ?? (libraries.includes(top) ? top : undefined);
	// What a published package has in its workspace tries it out.
	const isPublished = library === top;
	const isService = services.some(({ found }) => !isAside(found.folder) && (found === top || !isPublished));
	const isWhole = library === top || (library === undefined && packages.length === 0);
	if (repository.middleware !== null && isWhole && !isNamed && !isService) return repository.middleware;
	if (library !== undefined && !isNamed && !isService) {
		const others = libraries.filter((each) => each !== library && servesHttp(each));
		return benchConfig(library, manager, others, dependentsOf(library, all));
	}
	// Next to a program in another language, a package.json is for tools.
	const started = (services.length === 0 ? repository.others : services).map(({ found, service }) => ({
		found,
		service: withExampleEnv(service, found.folder, top.readText),
	}));
	const ranked = rankServices(started);
	const chosen = ranked.length > 1 && choose !== undefined ? await choose(ranked.map(nameCandidate)) : 0;
	const [service, ...otherServices] = [...ranked.slice(chosen, chosen + 1), ...ranked.filter((_, at) => at !== chosen)];
	return serviceConfig(service, otherServices, repository, catalogue);
}

function usersOf({ json }: FoundPackage, catalogue: Catalogue): readonly string[] {
	return json.private === true ? [] : serversUsing(nameOf(json), catalogue);
}

function frameworkConfig({ found, servers }: Framework, others: readonly Framework[], manager: string): InitialConfig {
	const name = nameOf(found.json);
	const also = others.map(
		(other) => `# subject: ${word(other.found.folder)} # servers: [${other.servers.join(', ')}]\n`,
	);
	const text = `# Does a change make servers that use ${name} slower?

# Folder of the package. It is packed on each side and installed into the servers below.
subject: ${word(found.folder)}
${also.join('')}
${prepareComment(manager)}
# Servers that come with benchgate; see benchgate list.
servers:
${servers.map((user) => `  - ${user}`).join('\n')}

# Scenarios or groups that come with benchgate, or your own. The group auto has those that run ${name}.
scenarios: [auto]
`;
	const notes = found.folder === '.' ? [] : [`It measures ${name}, in ${word(found.folder)}.`];
	if (others.length > 0) notes.push(`Others are comments in it: ${listFolders(others)}.`);
	return { text: text + MARGINS, notes };
}

function benchConfig(
	{ folder, json }: FoundPackage,
	manager: string,
	others: readonly FoundPackage[],
	dependentCount: number,
): {
	readonly text: string;
	readonly notes: readonly string[];
} {
	const name = JSON.stringify(nameOf(json)).slice(1, -1);
	const up = folder === '.' ? '..' : `../${folder}`;
	const program = programOf(json.bin);
	const subject = folder === '.' ? '' : `\n# Folder of the package.\nsubject: ${word(folder)}\n`;
	const text = `# Does a change make servers that use ${name} slower?
${subject}
${prepareComment(manager)}
# A bench server is a small program that loads the package and serves HTTP on HOST and PORT. Write one, for example in
# bench/server.mjs, which can load the package by path: import ... from ${JSON.stringify(`${up}/...`)}
# Both sides run the same one: in pull requests that of the base branch.
# harness: [bench]
${manager === 'bun' ? '# runtime: bun # if it is for Bun, which then runs as "node"\n' : ''}# servers:
#   - name: bench
#     command: node server.mjs
#     cwd: bench

# One request with its right answer. Wrong answers are never counted as fast.
# scenarios:
#   - name: home
#     request: { path: / }
#     expect: { status: 200 }
${program === null ? '' : `\n# Or measure the program of the package, if it serves HTTP on HOST and PORT. It needs no bench server:\n# servers: [{ name: program, command: "node ${program}"${folder === '.' ? '' : `, cwd: ${word(folder)}`} }]\n`}`;
	const another = others.map((other) => ({ found: other }));
	const chosen =
		folder === '.'
			? []
			: [`It is about ${nameOf(json)}, in ${word(folder)}, on which ${dependentCount} of the packages here depend.`];
	const subjects =
		another.length === 0 ? [] : [`If another package is meant, its folder is the subject: ${listFolders(another)}.`];
	const notes =
		program === null
			? [NOTE, ...chosen, ...subjects]
			: [
					NOTE,
					...chosen,
					...subjects,
					`If its program (${program}) is what should be fast, start that: the line for it is a comment, too.`,
				];
	return { text: text + MARGINS, notes };
}

function programOf(bin: unknown): string | null {
	const path = typeof bin === 'string' ? bin : Object.values(recordOf(bin))[0];
	return typeof path === 'string' && /^[\w./-]+$/.test(path) ? path.replace(/^\.\//, '') : null;
}
