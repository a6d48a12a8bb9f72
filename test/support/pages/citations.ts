/** Finds what comments and pages cite, and says which of it is not there. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { anchorsOf, linksOf, proseOf, questionsOf, sectionsOf, titlesOf } from './markdown-page.ts';

/** A text that cites: comments of a source file, or a page. */
export interface Citing {
	/** Relative to the root of the repository. */
	readonly file: string;
	readonly text: string;
}

const FOLDERS = 'src|test|docs|evaluation|benchmarks|scripts|servers|scenarios|schema';
/** May have wildcards: `src/config/load-*.ts`. */
const PATH = new RegExp(`(?<![\\w./-])(?:\\.\\./)*(?:${FOLDERS})/[\\w@./*-]*[\\w*]`, 'g');
const PAGE_NAME = /(?<![\w@{}<>*./-])(?:(?:\.\.?\/)*[\w.-]+\/)*[\w-]+\.md\b/g;
/** A page and the place in it: `docs/statistics.md 3.2` or `, sections 2 to 5`, `docs/evaluation.md, question 2`, a title, an anchor. */
const PLACE =
	/([\w./-]+\.md)(?:#([\w-]+))?\)?(?:(?:,? sections?)? (\d+(?:\.\d+)*)(?: (?:to|and) (\d+(?:\.\d+)*))?(?![\w%])|, question (\d+)|, "([^"]+)")?/g;

/** Returns the comments of a source file with the pages that its messages name, or all of a file without code. */
export function citingOf(root: string, file: string): Citing {
	const content = readFileSync(join(root, file), 'utf8');
	return { file, text: extname(file) === '.md' ? proseOf(content) : commentsOf(file, content) };
}

/**
 * Returns one line for each thing that `citing` cites and that is not there: a path from the root, a page by a name that no
 * page has, an anchor, a title or a numbered section that its page lacks. Pages may also name their neighbours and those of docs/.
 */
export function brokenCitations(root: string, citing: Citing): string[] {
	const broken = (what: string) => `${citing.file} cites ${what}`;
	const found = (path: string) => candidates(root, citing.file, path).find((name) => exists(root, name));
	const paths = [...citing.text.matchAll(PATH)].map(([path]) => path);
	const pages = [...citing.text.matchAll(PAGE_NAME)].map(([path]) => path);
	// NAME stands for any name: a how-to says where a file goes that is yet to be written.
	const missing = [...new Set([...paths, ...pages])].filter((path) => !/\bNAME\b/.test(path) && !found(path));
	const places = [...citing.text.matchAll(PLACE)].flatMap(([whole, path = '', anchor, ...numbers]) => {
		const name = found(path);
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

/** Returns one line for each link of the page `file` that leads nowhere; addresses of other hosts are not asked. */
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

/** Where a citation may lead: from the root; in a page also beside it, in docs/ and in docs/decisions/. */
function candidates(root: string, file: string, path: string): string[] {
	if (extname(file) !== '.md') return [path];
	return [path, relative(root, join(root, dirname(file), path)), join('docs', path), join('docs/decisions', path)];
}

function commentsOf(file: string, content: string): string {
	if (['.yml', '.yaml', '.py'].includes(extname(file))) return content;
	const comments = content.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm);
	// What users are told to read is cited in strings.
	const told = file.startsWith('src/') ? [...content.matchAll(/\bdocs\/[\w-]+\.md\b(?:#[\w-]+)?/g)] : [];
	// A sentence that goes on in the next line of a comment is one text.
	const texts = [...comments].map(([comment]) => comment.replaceAll(/\s*\n\s*(?:\*|\/\/)\s?/g, ' '));
	return [...texts, ...told.map(([page]) => page)].join('\n');
}

/** Returns the files of `root` whose comments or prose cite. */
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

/** Returns the pages people read. What the evaluation writes is generated, and its figures are its own. */
export function pageFiles(root: string): string[] {
	return globSync(['*.md', 'docs/*.md', 'docs/decisions/*.md', 'docs/evaluation/README.md'], { cwd: root }).sort();
}
