/** Targets and links of a Markdown page, without fenced code. */

export function proseOf(page: string): string {
	return page.replace(/^( *)(`{3,}|~{3,}).*\n(?:.*\n)*?\1\2.*$/gm, '');
}

/** Returns GitHub's anchors of the headings, in order; repeated ones get `-1`, `-2`. */
export function anchorsOf(page: string): string[] {
	const seen = new Map<string, number>();
	return headingsOf(page).map((heading) => {
		const slug = heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-');
		const before = seen.get(slug) ?? 0;
		seen.set(slug, before + 1);
		return before === 0 ? slug : `${slug}-${before}`;
	});
}

/** Returns section numbers: `## 3 Looks` and `### 3.2 Weights` give 3 and 3.2. */
export function sectionsOf(page: string): string[] {
	return headingsOf(page).flatMap((heading) => /^(\d+(?:\.\d+)*)\.? /.exec(heading)?.[1] ?? []);
}

/** Returns titles without numbers and marks: `### 3.2 Weights` gives Weights. */
export function titlesOf(page: string): string[] {
	return headingsOf(page).map((heading) => heading.replace(/^\d+(?:\.\d+)*\.? /, '').replace(/[`*_]/g, ''));
}

/** Returns question numbers of headings such as `### 2. Is …`. */
export function questionsOf(page: string): string[] {
	return [...proseOf(page).matchAll(/^### (\d+)\. /gm)].map(([, number = '']) => number);
}

export function linksOf(page: string): string[] {
	return [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
}

/** Returns the rows, as cells, of tables with the first column `first`. */
export function rowsOf(page: string, first: string): string[][] {
	const tables = proseOf(page).matchAll(/^\|.*\n\|[ :|-]+\|\n((?:\|.*(?:\n|$))*)/gm);
	const cellsOf = (line: string) =>
		line
			.split(/(?<!\\)\|/)
			.slice(1, -1)
			.map((cell) => cell.trim());
	return [...tables].flatMap(([table, rows = '']) =>
		cellsOf(table.split('\n')[0] ?? '')[0] === first
			? rows
					.split('\n')
					.filter((line) => line !== '')
					.map(cellsOf)
			: [],
	);
}

function headingsOf(page: string): string[] {
	return [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
}
