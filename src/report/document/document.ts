/** A report as data. Foreign text in phrases is one line, not escaped yet. */
import type { Phrase } from '../../text/phrase.ts';

export type Medium = 'terminal' | 'markdown' | 'html';

/** Chooses colour and mark. */
export type Tone = 'pass' | 'improved' | 'inconclusive' | 'fail' | 'error';

export interface Document {
	readonly headline: Headline | null;
	readonly sections: readonly Section[];
	/** Ends a report without a headline; a terminal does not wrap it. */
	readonly conclusion?: string;
}

export interface Headline {
	/** Null without an outcome: the title alone is the heading. */
	readonly tone: Tone | null;
	readonly title: string;
	readonly summary: Phrase;
	readonly blocks: readonly Block[];
}

/** A table with its heading. */
export interface WordedTable extends Pick<Table, 'columns' | 'rows'> {
	readonly title: string;
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
	/** Collapsed in Markdown and HTML. */
	readonly folded?: boolean;
	/** Steps to fit Markdown into a limit, ascending. */
	readonly shortening?: readonly Shortening[];
}

export interface Shortening {
	/** Over the whole document. */
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
	/** Shortened if the table is still too wide. */
	readonly shrinks?: boolean;
	/** If dropped, moves a value of all rows into the title. */
	readonly inTitle?: boolean;
}

export interface Table extends Placed {
	readonly kind: 'table';
	readonly columns: readonly Column[];
	readonly rows: readonly (readonly Phrase[])[];
	/** May depend on the labels of the shown columns. */
	readonly note: string | ((labels: readonly string[]) => string);
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

export type Block =
	| Section
	| Table
	| (Placed & { readonly kind: 'paragraphs' | 'list'; readonly items: readonly Phrase[] })
	| (Placed & { readonly kind: 'facts'; readonly facts: readonly Fact[] })
	/** `Next: …`. */
	| (Placed & { readonly kind: 'labelled'; readonly label: string; readonly items: readonly Phrase[] })
	| (Placed & { readonly kind: 'entries'; readonly entries: readonly Entry[] })
	/** HTML shows `svg`, which is trusted, unless it is empty. */
	| (Placed & { readonly kind: 'picture'; readonly text: string; readonly svg: string })
	| (Placed & { readonly kind: 'command'; readonly command: string });

export function section(title: Phrase, blocks: readonly Block[], more: Partial<Section> = {}): Section {
	return { kind: 'section', title, blocks, ...more };
}

export function repeatSection(command: string, title = 'Repeat it'): Section {
	return section([title], [{ kind: 'command', command }], { folded: true });
}

/** Returns no section if `items` is empty. */
export function listSection(title: Phrase, items: readonly Phrase[]): readonly Section[] {
	return items.length === 0 ? [] : [section(title, [{ kind: 'list', items }])];
}

export function shownIn<B extends Placed>(medium: Medium, blocks: readonly B[]): readonly B[] {
	return blocks.filter(({ media }) => media === undefined || media.includes(medium));
}

export function noteOf({ note, columns }: Pick<Table, 'note' | 'columns'>): string {
	return typeof note === 'string' ? note : note(columns.map(({ label }) => label));
}
