/** Files of a run, in the order of help and artifacts. Renderers are elsewhere: `--help` starts fast. */
import { PUBLICATION_FILE } from '../types/shared-names.ts';

export interface Format {
	/** Name in the action's folder and in the artifact. */
	readonly file: string;
	/** Help of the flag `--NAME FILE`. */
	readonly flag: { readonly help: string; readonly commands: readonly ReportCommand[] } | null;
	/** The action's output that has its path, described in action.yml. */
	readonly output: string | null;
	readonly about: string;
	/** Whether it is written without a comparison too, after a failure or cancellation. */
	readonly always: boolean;
	/** Treatment by the trusted reporter, which refuses an artifact with any other file. */
	readonly reporter: 'reads' | 'skips';
}

export type ReportCommand = 'compare' | 'judge' | 'gather';

const EVERY: readonly ReportCommand[] = ['compare', 'judge', 'gather'];

/** Formats of every kind of report. */
const PAGES = {
	markdown: {
		file: 'report.md',
		flag: { help: 'write the report as GitHub-flavoured Markdown', commands: EVERY },
		output: 'report-markdown',
		about: 'Path of the report in Markdown.',
		always: true,
		reporter: 'skips',
	},
	html: {
		file: 'report.html',
		flag: { help: 'write the report as one self-contained page with charts', commands: EVERY },
		output: 'report-html',
		about: 'Path of the report as one HTML page with charts.',
		always: false,
		reporter: 'skips',
	},
} as const satisfies Readonly<Record<string, Format>>;

export const FORMATS = {
	json: {
		file: 'result.json',
		flag: { help: 'write the result as JSON (schema/result.schema.json)', commands: EVERY },
		output: 'report-json',
		about: 'Path of the result as JSON (schema in `schema/result.schema.json`).',
		always: false,
		reporter: 'skips',
	},
	...PAGES,
	csv: {
		file: 'report.csv',
		flag: { help: 'write the rows as a table for spreadsheets and data frames', commands: EVERY },
		output: 'report-csv',
		about: 'Path of the rows as a table for spreadsheets (columns in docs/report.md).',
		always: false,
		reporter: 'skips',
	},
	raw: {
		file: 'raw.json',
		flag: {
			help: 'write every window, enough for `benchgate judge` to repeat every verdict',
			commands: ['compare', 'gather'],
		},
		output: 'raw',
		about: 'Path of the raw measurements, from which `benchgate judge` reproduces every verdict.',
		always: false,
		reporter: 'reads',
	},
	explanation: {
		file: 'explain.json',
		flag: { help: 'write why rows changed as JSON (schema/explain.schema.json)', commands: ['compare'] },
		output: 'explanation',
		about:
			'Path of the reasons why rows changed, as JSON (schema in `schema/explain.schema.json`); empty if no row was explained.',
		always: false,
		reporter: 'reads',
	},
	publication: { file: PUBLICATION_FILE, flag: null, output: null, about: '', always: true, reporter: 'reads' },
} as const satisfies Readonly<Record<string, Format>>;

type Table = typeof FORMATS;
export type FormatName = keyof Table;
export type FlagFormat = { [Name in FormatName]: Table[Name]['flag'] extends null ? never : Name }[FormatName];
export type LastingFormat = { [Name in FormatName]: Table[Name]['always'] extends true ? Name : never }[FormatName];
export type PageFormat = keyof typeof PAGES;

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];
export const FLAG_FORMATS = FORMAT_NAMES.filter((name): name is FlagFormat => FORMATS[name].flag !== null);

/** Returns a value for each format of every kind of report. */
export function forPages<T>(make: (name: PageFormat) => T): Readonly<Record<PageFormat, T>> {
	return Object.fromEntries((Object.keys(PAGES) as PageFormat[]).map((name) => [name, make(name)])) as Record<
		PageFormat,
		T
	>;
}

const PAGE_FLAGS = forPages((name) => PAGES[name].flag.help);
const OTHER_FLAGS = {
	baseline: { json: 'write the records, one JSON document a line', ...PAGE_FLAGS },
	bisect: PAGE_FLAGS,
	explain: { json: 'write the explanation as JSON (schema/explain.schema.json)', ...PAGE_FLAGS },
};

/** The action gives these other file names. */
export const SELFTEST_FORMATS = {
	json: {
		...FORMATS.json,
		file: 'benchgate-selftest.json',
		flag: { help: 'write the result with every trial as JSON (schema/selftest.schema.json)' },
	},
	...forPages((name) => ({ ...PAGES[name], file: PAGES[name].file.replace('report', 'benchgate-selftest') })),
} as const;

export type SelftestFormat = keyof typeof SELFTEST_FORMATS;
export const SELFTEST_FORMAT_NAMES = Object.keys(SELFTEST_FORMATS) as readonly SelftestFormat[];

export const MEASURE_FORMATS = {
	json: {
		file: 'measure.json',
		help: 'write the result with every row as JSON (schema/measure.schema.json)',
	},
	...forPages((name) => ({ file: PAGES[name].file.replace('report', 'measure'), help: PAGE_FLAGS[name] })),
	autocannon: { file: 'autocannon.txt', help: 'write the tables that autocannon prints, for every server' },
} as const;

export type RankingFormat = keyof typeof MEASURE_FORMATS;
export const MEASURE_FORMAT_NAMES = Object.keys(MEASURE_FORMATS) as readonly RankingFormat[];

/** The terminal report, and the formats whose content is printed. */
export const PRINTED_FORMATS = ['terminal', ...MEASURE_FORMAT_NAMES] as const;

export interface FileFlag {
	readonly flag: string;
	readonly help: string;
}

export function fileFlags(
	command: ReportCommand | 'selftest' | 'measure' | keyof typeof OTHER_FLAGS,
): readonly FileFlag[] {
	if (command === 'baseline' || command === 'bisect' || command === 'explain') {
		return Object.entries(OTHER_FLAGS[command]).map(([name, help]) => flagOf(name, help));
	}
	if (command === 'measure') return MEASURE_FORMAT_NAMES.map((name) => flagOf(name, MEASURE_FORMATS[name].help));
	if (command === 'selftest') {
		return SELFTEST_FORMAT_NAMES.map((name) => flagOf(name, SELFTEST_FORMATS[name].flag.help));
	}
	return FLAG_FORMATS.flatMap((name) => {
		const { help, commands }: NonNullable<Format['flag']> = FORMATS[name].flag;
		return commands.includes(command) ? [flagOf(name, help)] : [];
	});
}

function flagOf(name: string, help: string): FileFlag {
	return { flag: `--${name} <file>`, help };
}

/** Returns the action's outputs with file paths; empty text for files not written. */
export function fileOutputs(paths: Readonly<Partial<Record<FormatName, string>>>): Readonly<Record<string, string>> {
	return Object.fromEntries(
		FORMAT_NAMES.flatMap((name) => {
			const { output } = FORMATS[name];
			return output === null ? [] : [[output, paths[name] ?? '']];
		}),
	);
}
