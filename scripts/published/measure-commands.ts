/** Command lines that measure the ratios of a page on its version of Node. */
import { runsOnNode, unservedOf } from './built-in.ts';
import { nodeOf } from './measured-run.ts';
import type { PublishedPage } from './published-pages.ts';

/** Returns the command lines of a page in order; empty if no server is known to run on its Node. */
export function commandsOf(page: PublishedPage): readonly string[] {
	const { id, figures, notOnItsNode } = page;
	const node = nodeOf(page);
	if (node === null || notOnItsNode !== undefined) return [];
	const runtime = `node@${node}`;
	const reference = referenceOf(page);
	const scenariosOf = new Map<string, string[]>();
	for (const { server, scenario } of figures) {
		if (!runsOnNode(server)) continue;
		const scenarios = scenariosOf.get(server) ?? [];
		scenariosOf.set(server, scenarios.includes(scenario) ? scenarios : [...scenarios, scenario]);
	}
	// Servers with the same scenarios and packages share a command.
	const groups = Map.groupBy(scenariosOf, ([server, scenarios]) => JSON.stringify([scenarios, unservedOf(server)]));
	// Every command also measures the reference.
	const lists = [...groups.values()].filter(
		(group) => group.some(([server]) => server !== reference) || groups.size === 1,
	);
	const parts = lists.map((group, at) => {
		const [[first, scenarios] = ['', []]] = group;
		// Readers fill in the folders or tarballs.
		const packages = unservedOf(first).map((name) => `${name}=./${name.split('/').at(-1)}`);
		return [
			`benchgate measure --runtime ${runtime} --reference "${reference} on ${runtime}"`,
			`--server ${group.map(([server]) => server).join(',')} --scenario ${scenarios.join(',')}`,
			...(packages.length === 0 ? [] : [`--package ${packages.join(',')}`]),
			`--trials 3 --out ${id}/${at + 1}`,
		].join(' ');
	});
	return [
		...parts,
		`benchgate measure --merge ${parts.map((_, at) => `${id}/${at + 1}`).join(',')} --json ${id}.json`,
		`npm run docs:ratios -- ${id}.json --page ${id}`,
	];
}

/** The server that all its ratios share, else node:http: shares of any one reference give all ratios. */
function referenceOf({ pairs }: PublishedPage): string {
	const [first, ...rest] = new Set(pairs.map(([, of]) => of));
	return first !== undefined && rest.length === 0 ? first : 'node-http';
}
