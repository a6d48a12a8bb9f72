/** Files of a run, in the order of help and artifacts. Renderers are elsewhere, so that `--help` starts fast. */
import { PUBLICATION_FILE } from '../types/shared-names.ts';

export interface Format {
	/** Name in the action's folder and in the artifact. */
	readonly file: string;
	/** Help of the flag `--NAME FILE`. */
	readonly flag: { readonly help: string; readonly commands: readonly ReportCommand[] } | null;
	/** Name of the action's output that has its path. */
	readonly output: string | null;
	/** Whether it is written without a comparison too, after a failure or cancellation. */
	readonly always: boolean;
	/** Treatment by the trusted reporter, which refuses an artifact with any other file. */
	readonly reporter: 'reads' | 'skips';
}

export type ReportCommand = 'compare' | 'judge' | 'gather';

const EVERY: readonly ReportCommand[] = ['compare', 'judge', 'gather'];

export const FORMATS = {
	json: {
		file: 'result.json',
		flag: { help: 'write the result as JSON (schema/result.schema.json)', commands: EVERY },
		output: 'report-json',
		always: false,
		reporter: 'skips',
	},
	markdown: {
		file: 'report.md',
		flag: { help: 'write the report as GitHub-flavoured Markdown', commands: EVERY },
		output: 'report-markdown',
		always: true,
		reporter: 'skips',
	},
	html: {
		file: 'report.html',
		flag: { help: 'write the report as one self-contained page with charts', commands: EVERY },
		output: 'report-html',
		always: false,
		reporter: 'skips',
	},
	csv: {
		file: 'report.csv',
		flag: { help: 'write the rows as a table for spreadsheets and data frames', commands: EVERY },
		output: 'report-csv',
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
		always: false,
		reporter: 'reads',
	},
	publication: { file: PUBLICATION_FILE, flag: null, output: null, always: true, reporter: 'reads' },
} as const satisfies Readonly<Record<string, Format>>;

type Table = typeof FORMATS;
export type FormatName = keyof Table;
export type FlagFormat = { [Name in FormatName]: Table[Name]['flag'] extends null ? never : Name }[FormatName];
export type LastingFormat = { [Name in FormatName]: Table[Name]['always'] extends true ? Name : never }[FormatName];

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];
export const FLAG_FORMATS = FORMAT_NAMES.filter((name): name is FlagFormat => FORMATS[name].flag !== null);

const PAGE = 'write the report as one self-contained page';

const PAGE_FLAGS = { markdown: FORMATS.markdown.flag.help, html: PAGE };
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
	markdown: { ...FORMATS.markdown, file: 'benchgate-selftest.md' },
	html: { ...FORMATS.html, file: 'benchgate-selftest.html', flag: { help: PAGE } },
} as const;

export type SelftestFormat = keyof typeof SELFTEST_FORMATS;
export const SELFTEST_FORMAT_NAMES = Object.keys(SELFTEST_FORMATS) as readonly SelftestFormat[];

export const MEASURE_FORMATS = {
	json: {
		file: 'measure.json',
		help: 'write the result with every row as JSON (schema/measure.schema.json)',
	},
	markdown: { file: 'measure.md', help: FORMATS.markdown.flag.help },
	html: { file: 'measure.html', help: FORMATS.html.flag.help },
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

/** Returns the action's outputs with file paths; empty text for files that were not written. */
export function fileOutputs(paths: Readonly<Partial<Record<FormatName, string>>>): Readonly<Record<string, string>> {
	return Object.fromEntries(
		FORMAT_NAMES.flatMap((name) => {
			const { output } = FORMATS[name];
			return output === null ? [] : [[output, paths[name] ?? '']];
		}),
	);
}
