/** A report as data. Foreign text in phrases is one line, not escaped yet. */
import type { Phrase } from '../../text/phrase.ts';

export type Medium = 'terminal' | 'markdown' | 'html';

/** Chooses colour and mark. */
export type Tone = 'pass' | 'improved' | 'inconclusive' | 'fail' | 'error' | 'accepted' | 'advisory';

export interface Document {
	readonly headline: Headline | null;
	readonly sections: readonly Section[];
	/** Ends a report without a headline; a terminal does not wrap it. */
	readonly conclusion?: string;
	/** HTML lists the sections, with links, below the headline. */
	readonly hasContents?: boolean;
	/** Of pictures in HTML. */
	readonly styles?: string;
	/** Follows the list of omissions. */
	readonly elsewhere?: string;
}

export interface Headline {
	/** Null without an outcome: the title alone is the heading. */
	readonly tone: Tone | null;
	readonly title: string;
	/** Only in HTML, above the summary. */
	readonly subject?: Phrase;
	readonly summary: Phrase;
	readonly blocks: readonly Block[];
}

export interface WordedTable extends Pick<Table, 'columns'> {
	readonly title: string;
	readonly rows: readonly (readonly Phrase[])[];
	readonly note: string;
}

interface Placed {
	/** All media by default. */
	readonly media?: readonly Medium[];
}

export interface Section extends Placed {
	readonly kind: 'section';
	readonly title: Phrase;
	readonly caption?: Phrase;
	readonly blocks: readonly Block[];
	readonly id?: string;
	/** Collapsed in Markdown and HTML, or in Markdown alone. */
	readonly folded?: boolean | 'markdown';
	/** Steps to fit Markdown into a limit, ascending. */
	readonly shortening?: readonly Shortening[];
}

export interface Shortening {
	readonly order: number;
	readonly omits: string;
	/** Replaces the section; absent if nothing does. */
	readonly section?: Section;
}

export interface Fact {
	readonly label: string;
	readonly value: Phrase;
}

export interface Column {
	readonly label: string;
	readonly align: 'left' | 'right';
	/** A narrow terminal drops columns in ascending order. */
	readonly spare?: number;
	/** Shortened if the table is still too wide, the last one first. */
	readonly shrinks?: boolean;
}

export interface RichCell {
	readonly text: Phrase;
	/** Trusted; replaces the text in HTML. */
	readonly html?: string;
	/** Colours the cell in a terminal. */
	readonly tone?: Tone | undefined;
}

export type Cell = Phrase | RichCell;

export interface Table extends Placed {
	readonly kind: 'table';
	readonly columns: readonly Column[];
	readonly rows: readonly (readonly Cell[])[];
	/** May depend on the labels of the shown columns. */
	readonly note: string | ((labels: readonly string[]) => string);
	/** A terminal shows the first of these that fits instead, or else the last. */
	readonly narrower?: readonly Table[];
	/** Markdown keeps right-aligned cells on one line. */
	readonly unbroken?: boolean;
	/** A phone shows rows as cards. */
	readonly cards?: boolean;
	/** Fragments of the rows' addresses in HTML. */
	readonly ids?: readonly (string | null)[];
	/** A narrow terminal continues it below. */
	readonly breaks?: boolean;
	readonly terminalRows?: number;
}

export interface Entry {
	readonly tone: Tone;
	readonly word: string;
	readonly about: string;
	readonly text: Phrase;
	readonly log: readonly string[];
	readonly remedy: Phrase | null;
}

export interface Note {
	readonly number: number;
	/** Replaces the number in text. */
	readonly mark: string;
	readonly text: Phrase;
}

export type Block =
	| Section
	| Table
	| (Placed & { readonly kind: 'paragraphs' | 'list'; readonly items: readonly Phrase[] })
	| (Placed & { readonly kind: 'facts'; readonly facts: readonly Fact[] })
	/** `Next: …`. */
	| (Placed & { readonly kind: 'labelled'; readonly label: string; readonly items: readonly Phrase[] })
	| (Placed & { readonly kind: 'entries'; readonly entries: readonly Entry[] })
	| (Placed & { readonly kind: 'notes'; readonly notes: readonly Note[] })
	/** HTML shows `html`, which is trusted, unless it is empty. */
	| (Placed & { readonly kind: 'picture'; readonly text: string; readonly html: string })
	| (Placed & { readonly kind: 'command'; readonly command: string });

export function section(title: Phrase, blocks: readonly Block[], more: Partial<Section> = {}): Section {
	return { kind: 'section', title, blocks, ...more };
}

export function repeatSection(command: string, title = 'Repeat it'): Section {
	return section([title], [{ kind: 'command', command }], { folded: true });
}

/** Returns no section if `items` is empty. A limited Markdown shows `most` of them. */
export function listSection(title: Phrase, items: readonly Phrase[], most = Infinity): readonly Section[] {
	if (items.length === 0) return [];
	const at = (some: readonly Phrase[]) => section(title, [{ kind: 'list', items: some }]);
	if (items.length <= most) return [at(items)];
	return [
		{ ...at(items), shortening: [{ order: 1, omits: `items beyond ${most}`, section: at(items.slice(0, most)) }] },
	];
}

export function isRich(cell: Cell): cell is RichCell {
	return !Array.isArray(cell);
}

export function textOf(cell: Cell): Phrase {
	return isRich(cell) ? cell.text : cell;
}

export function shownIn<B extends Placed>(medium: Medium, blocks: readonly B[]): readonly B[] {
	return blocks.filter(({ media }) => media === undefined || media.includes(medium));
}

export function noteOf({ note, columns }: Pick<Table, 'note' | 'columns'>): string {
	return typeof note === 'string' ? note : note(columns.map(({ label }) => label));
}
