/** Finds broken citations in comments and pages. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { anchorsOf, linksOf, proseOf, questionsOf, sectionsOf, titlesOf } from './markdown-page.ts';

/** A source file or a page. */
export interface Citing {
	/** Relative to the repository root. */
	readonly file: string;
	readonly text: string;
}

const FOLDERS = 'src|test|docs|evaluation|benchmarks|scripts|servers|scenarios|schema';
/** Allows wildcards: `src/config/load-*.ts`. */
const PATH = new RegExp(`(?<![\\w./-])(?:\\.\\./)*(?:${FOLDERS})/[\\w@./*-]*[\\w*]`, 'g');
const PAGE_NAME = /(?<![\w@{}<>*./-])(?:(?:\.\.?\/)*[\w.-]+\/)*[\w-]+\.md\b/g;
/**
 * A page with a place: `docs/statistics.md 3.2` or `, sections 2 to 5`, `docs/evaluation.md, question 2`, a title, an
 * anchor.
 */
const PLACE =
	/([\w./-]+\.md)(?:#([\w-]+))?\)?(?:(?:,? sections?)? (\d+(?:\.\d+)*)(?: (?:to|and) (\d+(?:\.\d+)*))?(?![\w%])|, question (\d+)|, "([^"]+)")?/g;

/** Returns a source file's comments and the pages in its messages, or a page's text without code. */
export function citingOf(root: string, file: string): Citing {
	const content = readFileSync(join(root, file), 'utf8');
	return { file, text: extname(file) === '.md' ? proseOf(content) : commentsOf(file, content) };
}

/**
 * Returns one line per broken citation: a missing path, an unknown page, or an anchor, title or numbered section its
 * page lacks. Pages may also name neighbours and files of docs/.
 */
export function brokenCitations(root: string, citing: Citing): string[] {
	const broken = (what: string) => `${citing.file} cites ${what}`;
	const firstExisting = (path: string) => candidates(root, citing.file, path).find((name) => exists(root, name));
	const paths = [...citing.text.matchAll(PATH)].map(([path]) => path);
	const pages = [...citing.text.matchAll(PAGE_NAME)].map(([path]) => path);
	// NAME is a placeholder in how-tos.
	const missing = [...new Set([...paths, ...pages])].filter((path) => !/\bNAME\b/.test(path) && !firstExisting(path));
	const places = [...citing.text.matchAll(PLACE)].flatMap(([whole, path = '', anchor, ...numbers]) => {
		const name = firstExisting(path);
		if (!name) return [];
		const page = readFileSync(join(root, name), 'utf8');
		const [from, to, question, title] = numbers;
		const isThere =
			(anchor === undefined || anchorsOf(page).includes(anchor)) &&
			[from, to].every((number) => number === undefined || sectionsOf(page).includes(number)) &&
			(question === undefined || questionsOf(page).includes(question)) &&
			(title === undefined || titlesOf(page).includes(title));
		return isThere ? [] : [whole];
	});
	return [...missing, ...new Set(places)].map(broken);
}

/** Returns one line per broken link of a page; other hosts are not checked. */
export function brokenLinks(root: string, file: string): string[] {
	const page = readFileSync(join(root, file), 'utf8');
	return linksOf(page).flatMap((link) => {
		if (/^[a-z]+:/.test(link)) return [];
		const [path = '', anchor] = link.split('#');
		const target = path === '' ? file : join(dirname(file), path);
		if (!existsSync(join(root, target))) return [`${file} links to ${link}`];
		if (anchor === undefined) return [];
		const isThere = anchorsOf(readFileSync(join(root, target), 'utf8')).includes(anchor);
		return isThere ? [] : [`${file} links to ${link}`];
	});
}

function exists(root: string, name: string): boolean {
	return name.includes('*') ? globSync(name, { cwd: root }).length > 0 : existsSync(join(root, name));
}

/** Possible targets: from the root; for a page also beside it, in docs/ and in docs/decisions/. */
function candidates(root: string, file: string, path: string): string[] {
	if (extname(file) !== '.md') return [path];
	return [path, relative(root, join(root, dirname(file), path)), join('docs', path), join('docs/decisions', path)];
}

function commentsOf(file: string, content: string): string {
	if (['.yml', '.yaml', '.py'].includes(extname(file))) return content;
	const comments = content.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm);
	// Messages refer users to pages in strings.
	const pageNames = file.startsWith('src/') ? [...content.matchAll(/\bdocs\/[\w-]+\.md\b(?:#[\w-]+)?/g)] : [];
	// Joins sentences across lines.
	const texts = [...comments].map(([comment]) => comment.replaceAll(/\s*\n\s*(?:\*|\/\/)\s?/g, ' '));
	return [...texts, ...pageNames.map(([page]) => page)].join('\n');
}

export function citingFiles(root: string): string[] {
	const sources = globSync(
		[
			'{src,test,evaluation,benchmarks,scripts}/**/*.{ts,py}',
			'servers/*/*.{mjs,ts}',
			'scenarios/*.yml',
			'action.yml',
			'.github/**/*.yml',
		],
		{ cwd: root },
	);
	return [...sources, ...pageFiles(root)].filter((file) => !file.startsWith('test/fixtures/')).sort();
}

/** Returns pages that are not generated. */
export function pageFiles(root: string): string[] {
	return globSync(['*.md', 'docs/*.md', 'docs/decisions/*.md', 'docs/evaluation/README.md'], { cwd: root }).sort();
}
