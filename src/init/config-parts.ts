/** With its number, a name has at most 64 characters. */
const NAME_LENGTH = 56;

/** The end of every config. */
export const MARGINS = `
# A drop beyond the threshold fails, a drop up to half of it is harmless.
threshold: 5%

# Time for measuring. More time decides smaller differences.
budget: 10m

# What an undecided scenario means for the check: pass, fail or neutral.
gate: { on-inconclusive: pass, metrics: [throughput] }
`;

export const INSTALLS: Readonly<Record<string, string>> = {
	npm: 'npm ci',
	pnpm: 'pnpm install --frozen-lockfile',
	yarn: 'yarn install --frozen-lockfile',
	bun: 'bun install --frozen-lockfile',
};

/** Returns the commented key `prepare`; `manager` is null without package.json. */
export function prepareComment(manager: string | null): string {
	const install = INSTALLS[manager ?? ''];
	return `# Run once per side. Default: install by lockfile, and the build script where files are missing.
# prepare: ${install === undefined ? 'make' : `${install} && ${manager} run build`}
`;
}

/** A `prepare` that does nothing. */
export const NOTHING_TO_DO = 'true';

/** Quotes all but plain paths. */
export function word(text: string): string {
	return /^[\w./][\w./@+-]*$/.test(text) ? text : JSON.stringify(text);
}

export const MOST_FOLDERS = 8;

export function listFolders(all: readonly { readonly found: { readonly folder: string } }[]): string {
	const moreCount = all.length - MOST_FOLDERS;
	const named = all.slice(0, MOST_FOLDERS).map(({ found }) => word(found.folder));
	return named.join(', ') + (moreCount > 0 ? ` and ${moreCount} more` : '');
}

/** Returns a new valid name close to `text`, and adds it to `names`. */
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
