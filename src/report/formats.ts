/**
 * Every file a run can leave, in the order in which help and artifacts list them. Words only, so that `--help` is quick: what
 * writes the text of each stands in render-formats.ts.
 */
import { PUBLICATION_FILE } from '../types/shared-names.ts';

/** A file a run can leave. */
export interface Format {
	/** Its name in the folder of the action, and in the artifact. */
	readonly file: string;
	/** What the flag `--NAME FILE` writes, for --help, and the commands that have it; null when no flag writes it. */
	readonly flag: { readonly help: string; readonly commands: readonly ReportCommand[] } | null;
	/** The output of the action that has its path; null when none has. */
	readonly output: string | null;
	/** Whether the action writes it also when nothing was compared: after a failure, or when it was cancelled. */
	readonly always: boolean;
	/** What the trusted reporter does with it in an artifact that may be made to harm. Any other file has it refused. */
	readonly reporter: 'reads' | 'skips';
}

/** Commands that report a comparison. */
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
/** Formats that a flag of the command line asks for. */
export type FlagFormat = { [Name in FormatName]: Table[Name]['flag'] extends null ? never : Name }[FormatName];
/** Formats that the action writes whatever a run came to. */
export type LastingFormat = { [Name in FormatName]: Table[Name]['always'] extends true ? Name : never }[FormatName];

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];
export const FLAG_FORMATS = FORMAT_NAMES.filter((name): name is FlagFormat => FORMATS[name].flag !== null);

/** Files of a selftest: two of the formats, in the action under names of their own. */
export const SELFTEST_FORMATS = {
	json: {
		...FORMATS.json,
		file: 'benchgate-selftest.json',
		flag: { help: 'write the result with every trial as JSON (schema/selftest.schema.json)' },
	},
	markdown: { ...FORMATS.markdown, file: 'benchgate-selftest.md' },
} as const;

export type SelftestFormat = keyof typeof SELFTEST_FORMATS;
export const SELFTEST_FORMAT_NAMES = Object.keys(SELFTEST_FORMATS) as readonly SelftestFormat[];

/** Files of a ranking. */
export const MEASURE_FORMATS = {
	json: {
		file: 'measure.json',
		help: 'write the result with every row as JSON (schema/measure.schema.json)',
	},
	markdown: { file: 'measure.md', help: FORMATS.markdown.flag.help },
	html: { file: 'measure.html', help: FORMATS.html.flag.help },
	autocannon: { file: 'autocannon.txt', help: 'write the tables that autocannon prints, for every server' },
} as const;

export type MeasureFormat = keyof typeof MEASURE_FORMATS;
export const MEASURE_FORMAT_NAMES = Object.keys(MEASURE_FORMATS) as readonly MeasureFormat[];

/** What a ranking is printed as: the report for terminals, or what any of its files would hold. */
export const PRINTED_FORMATS = ['terminal', ...MEASURE_FORMAT_NAMES] as const;

/** A flag that takes the path of a file to write, as commander and --help show it. */
export interface FileFlag {
	readonly flag: string;
	readonly help: string;
}

/** Returns the flags of a command that write a file, in the order of the table. */
export function fileFlags(command: ReportCommand | 'selftest' | 'measure'): readonly FileFlag[] {
	if (command === 'measure') return MEASURE_FORMAT_NAMES.map((name) => flagOf(name, MEASURE_FORMATS[name].help));
	if (command === 'selftest') {
		return SELFTEST_FORMAT_NAMES.map((name) => flagOf(name, SELFTEST_FORMATS[name].flag.help));
	}
	return FLAG_FORMATS.flatMap((name) => {
		const { help, commands }: NonNullable<Format['flag']> = FORMATS[name].flag;
		return commands.includes(command) ? [flagOf(name, help)] : [];
	});
}

function flagOf(name: FlagFormat | MeasureFormat, help: string): FileFlag {
	return { flag: `--${name} <file>`, help };
}

/** Returns the outputs of the action that name files, by the paths of those that were written; empty text for the others. */
export function fileOutputs(paths: Readonly<Partial<Record<FormatName, string>>>): Readonly<Record<string, string>> {
	return Object.fromEntries(
		FORMAT_NAMES.flatMap((name) => {
			const { output } = FORMATS[name];
			return output === null ? [] : [[output, paths[name] ?? '']];
		}),
	);
}
