import { readRequest } from '../config/load-request.ts';
import { flagOf, type OptionTexts, withDefaults } from '../config/option-names.ts';
import { OPTIONS } from '../config/options.ts';
import { explainOptionsOf } from '../config/read-flags.ts';
import { renderExplanation } from '../formats/explanation-file.ts';
import { parseRaw } from '../formats/raw/raw-file.ts';
import { checkOutputs, writeOutputs } from '../output/write-files.ts';
import { toTerminal } from '../report/document/terminal-writer.ts';
import { explainDocument } from '../report/explain-document.ts';
import { pageRenderers } from '../report/render-formats.ts';
import { explainSides } from '../runs/explain/explain-run.ts';
import { readNamedFile } from '../runs/read-named-file.ts';
import { shellWord } from '../text/escape.ts';
import { EXIT } from '../types/errors.ts';
import type { Explanation } from '../types/explain.ts';
import type { Raw, RevisionInfo } from '../types/result.ts';
import { toolVersion } from '../version.ts';
import { type MeasuringFlags, measureAndReport } from './measuring.ts';
import { printReport } from './write-reports.ts';

const RENDERERS = { json: renderExplanation, ...pageRenderers(explainDocument) };
type File = keyof typeof RENDERERS;
const FILES = Object.keys(RENDERERS) as readonly File[];

export interface ExplainFlags extends OptionTexts, MeasuringFlags, Readonly<Partial<Record<File, string>>> {}

/** Explains the rows of a stored run, or of two revisions that nothing judged. */
export async function runExplainCommand(file: string | undefined, typed: ExplainFlags): Promise<number> {
	const cwd = process.cwd();
	checkOutputs<File>(typed, FILES);
	const raw = file === undefined ? null : readRaw(file);
	const flags = withDefaults('explain', { ...(raw && optionsOfRun(raw)), ...typed });
	const { base = '', head = '' } = flags;
	const { config, harnessFrom } = await readRequest(cwd, { ...flags, base, head });
	const explain = { ...explainOptionsOf(flags), policy: 'always' } as const;
	const reproduce = repeatExplain(file, typed);
	return measureAndReport(
		typed,
		async (tools) => {
			const asked = { ...tools, config, revisions: { base, head }, cwd, reproduce, harnessFrom };
			const explanation = await explainSides(asked, raw, explain);
			return { explanation, isInterrupted: tools.signal.aborted };
		},
		async ({ explanation, isInterrupted }, { guardDirectory }) => {
			printReport((style) => toTerminal(explainDocument(explanation), style));
			await writeOutputs<File, Explanation>(typed, RENDERERS, explanation, guardDirectory);
			return isInterrupted ? EXIT.interrupted : EXIT.passed;
		},
	);
}

function readRaw(file: string): Raw {
	const text = readNamedFile(file, { remedy: 'name a file written by `benchgate compare --raw FILE`' });
	return parseRaw(text, file, toolVersion());
}

/** The revisions and cells of a stored run. Its config is that of this folder. */
function optionsOfRun({ context: { base, head }, plan }: Raw): OptionTexts {
	const names = (read: (cell: Raw['plan']['cells'][number]) => string) => [...new Set(plan.cells.map(read))].join(',');
	return {
		base: revisionOf(base),
		head: revisionOf(head),
		server: names(({ server }) => server),
		scenario: names(({ scenario }) => scenario),
	};
}

function revisionOf({ kind, sha, revision }: RevisionInfo): string {
	return kind === 'git' && sha !== undefined ? `git:${sha}` : revision;
}

function repeatExplain(file: string | undefined, typed: OptionTexts): string {
	const flags = Object.keys(OPTIONS).flatMap((name) => {
		const text = typed[name as keyof OptionTexts];
		return text ? [flagOf(name as keyof OptionTexts), text] : [];
	});
	return ['npx', 'benchgate', 'explain', ...(file === undefined ? [] : [file]), ...flags].map(shellWord).join(' ');
}
