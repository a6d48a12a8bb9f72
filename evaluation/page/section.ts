/** Content of the pages before it becomes Markdown or HTML: sections of plain text and tables. */

/** Longest text on a page: names come from files. Our own paragraphs are shorter. */
export const LONGEST_TEXT = 2_000;

/** One table cell: plain text, emphasised text, or a link. */
export type Entry = string | { readonly text: string; readonly style?: 'strong' | 'code'; readonly href?: string };

export interface Column<T> {
	readonly label: string;
	readonly align: 'left' | 'right';
	readonly format: (row: T) => Entry;
}

export interface Table {
	readonly columns: readonly Pick<Column<never>, 'label' | 'align'>[];
	readonly rows: readonly (readonly Entry[])[];
	/** Summary of a fold around it; without one the table is always shown. */
	readonly fold?: string;
}

/** A place for the script of the HTML page to draw in. */
export interface Chart {
	readonly id: string;
	/** Content of the chart, and how to read it. */
	readonly caption: string;
}

export interface Section {
	readonly title: string;
	/** Paragraphs before the tables. */
	readonly text: readonly string[];
	readonly charts?: readonly Chart[];
	readonly tables: readonly Table[];
	/** Paragraphs after the tables. */
	readonly notes?: readonly string[];
}

/** Returns a column of names or other words. */
export function words<T>(label: string, format: (row: T) => Entry): Column<T> {
	return { label, align: 'left', format };
}

/** Returns a column of numbers. */
export function figures<T>(label: string, format: (row: T) => Entry): Column<T> {
	return { label, align: 'right', format };
}

/** Returns the table of `rows`, inside a fold if it has a summary. */
export function tableOf<T>(columns: readonly Column<T>[], rows: readonly T[], fold?: string): Table {
	const table = {
		columns: columns.map(({ label, align }) => ({ label, align })),
		rows: rows.map((row) => columns.map(({ format }) => format(row))),
	};
	return fold === undefined ? table : { ...table, fold };
}
