/** The command lines that measure the ratios of a page on its version of Node. */
import { nodeOf } from './measured-run.ts';
import type { PublishedPage } from './published-pages.ts';

/** Packages that not every registry has: the folders or tarballs they are in are given by hand. */
const UNSERVED: readonly { readonly server: RegExp; readonly packages: string }[] = [
	{ server: /^ergo$/, packages: '@centralping/ergo=./ergo,@centralping/ergo-router=./ergo-router' },
	{
		server: /^vext-/,
		packages: 'vextjs=./vextjs,schema-dsl=./schema-dsl,flex-rate-limit=./flex-rate-limit,monsqlize=./monsqlize',
	},
];

/** Servers that are no programs of Node: its version says nothing about them. */
const NOT_NODE = /^(pikku-)?bun$/;

/** Returns the command lines of a page, in the order in which they are run; none where nothing is known to run on its Node. */
export function commandsOf(page: PublishedPage): readonly string[] {
	const { id, figures, notOnItsNode } = page;
	const node = nodeOf(page);
	if (node === null || notOnItsNode !== undefined) return [];
	const runtime = `node@${node}`;
	const reference = referenceOf(page);
	const scenariosOf = new Map<string, string[]>();
	for (const { server, scenario } of figures) {
		if (NOT_NODE.test(server)) continue;
		const known = scenariosOf.get(server) ?? [];
		scenariosOf.set(server, known.includes(scenario) ? known : [...known, scenario]);
	}
	// Servers that have the same scenarios share a command, as far as they need the same packages.
	const groups = Map.groupBy(scenariosOf, ([server, scenarios]) =>
		JSON.stringify([scenarios, UNSERVED.findIndex((one) => one.server.test(server))]),
	);
	// Every command measures the reference besides.
	const lists = [...groups.values()].filter(
		(group) => group.some(([server]) => server !== reference) || groups.size === 1,
	);
	const parts = lists.map((group, at) => {
		const [[first, scenarios] = ['', []]] = group;
		const packages = UNSERVED.find((one) => one.server.test(first))?.packages;
		return [
			`benchgate measure --runtime ${runtime} --reference "${reference} on ${runtime}"`,
			`--server ${group.map(([server]) => server).join(',')} --scenario ${scenarios.join(',')}`,
			...(packages === undefined ? [] : [`--package ${packages}`]),
			`--trials 3 --out ${id}/${at + 1}`,
		].join(' ');
	});
	return [
		...parts,
		`benchgate measure --merge ${parts.map((_, at) => `${id}/${at + 1}`).join(',')} --json ${id}.json`,
		`npm run docs:ratios -- ${id}.json --page ${id}`,
	];
}

/** What all its ratios have in common, else node:http: shares of any one reference give all ratios. */
function referenceOf({ pairs }: PublishedPage): string {
	const [first, ...rest] = new Set(pairs.map(([, of]) => of));
	return first !== undefined && rest.length === 0 ? first : 'node-http';
}
