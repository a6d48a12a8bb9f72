/** The files that a tutorial shows, so that it can be run from its own text. */
import { readFileSync } from 'node:fs';

/** A section of a page: its files by the words in their captions, such as `notes.js` or `notes.js, as the pull request has it`. */
export type Shown = ReadonlyMap<string, string>;

const FILE = /^\*\*`([^`]+)`(?:, )?([^*]*)\*\*[^\n]*\n\n```\w+\n(.*?)^```$/gms;

/** Returns the files that the sections of docs/tutorials/NAME.md with these headings show; what a later one shows again replaces an earlier one. */
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
