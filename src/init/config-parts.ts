/** Longest name a config takes is 64, and a number may follow. */
const NAME_LENGTH = 56;

/** The end of every config: margins, time, and what counts. */
export const MARGINS = `
# A drop beyond the threshold fails, a drop up to half of it is harmless.
threshold: 5%

# Time for measuring. More time decides smaller differences.
budget: 10m

# What an undecided scenario means for the check: pass, fail or neutral.
gate: { on-inconclusive: pass, metrics: [throughput] }
`;

/** What each manager installs by the lockfile with. */
const INSTALLS: Readonly<Record<string, string>> = {
	npm: 'npm ci',
	pnpm: 'pnpm install --frozen-lockfile',
	yarn: 'yarn install --frozen-lockfile',
	bun: 'bun install --frozen-lockfile',
};

/** Returns how both sides are made ready, for those who never have to say it; `manager` runs their scripts, null without a package.json. */
export function prepareComment(manager: string | null): string {
	const install = INSTALLS[manager ?? ''];
	return `# Run once per side. Default: install by lockfile, and the build script where files are missing.
# prepare: ${install === undefined ? 'make' : `${install} && ${manager} run build`}
`;
}

/** A command that succeeds, where there is nothing to install and nothing to build. */
export const NOTHING_TO_DO = 'true';

/** A text of the repository as one word of YAML: in quotes where it is more than a plain path. */
export function word(text: string): string {
	return /^[\w./][\w./@+-]*$/.test(text) ? text : JSON.stringify(text);
}

/** Folders that a comment or a sentence names, and servers that are comments. */
export const MOST_FOLDERS = 8;

/** Returns the folders of packages as a sentence names them; of many the first ones. */
export function listFolders(all: readonly { readonly found: { readonly folder: string } }[]): string {
	const rest = all.length - MOST_FOLDERS;
	const named = all.slice(0, MOST_FOLDERS).map(({ found }) => word(found.folder));
	return named.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** Returns a name for a scenario that `names` does not have yet, as close to `text` as names may be, and adds it to them. */
export function chooseName(text: string, otherwise: string, names: Set<string>): string {
	const plain =
		text
			.replace(/[^A-Za-z0-9._-]+/g, '-')
			.replace(/^[^A-Za-z0-9]+|[-.]+$/g, '')
			.slice(0, NAME_LENGTH) || otherwise;
	let name = plain;
	for (let number = 2; names.has(name); number++) name = `${plain}-${number}`;
	names.add(name);
	return name;
}
