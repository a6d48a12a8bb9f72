/** Extracts a tutorial's files, to run it from its text. */
import { readFileSync } from 'node:fs';

/** Files by caption, such as `notes.js` or `notes.js, as the pull request has it`. */
export type Shown = ReadonlyMap<string, string>;

const FILE = /^\*\*`([^`]+)`(?:, )?([^*]*)\*\*[^\n]*\n\n```\w+\n(.*?)^```$/gms;

/** Returns the files in these sections of docs/tutorials/NAME.md; later ones replace earlier ones. */
export function filesOfTutorial(name: string, ...headings: readonly string[]): Shown {
	const page = readFileSync(new URL(`../../../docs/tutorials/${name}`, import.meta.url), 'utf8');
	const sections = new Map(page.split(/^## /m).map((section) => [section.slice(0, section.indexOf('\n')), section]));
	const files = headings.flatMap((heading) => {
		const section = sections.get(heading);
		if (section === undefined) throw new Error(`${name} has no section "${heading}"`);
		return [...section.matchAll(FILE)].map(([, file = '', more = '', content = '']) => {
			return [more === '' ? file : `${file}, ${more}`, content] as const;
		});
	});
	return new Map(files);
}
