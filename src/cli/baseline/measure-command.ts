import { readBaselineRequest } from '../../config/load-request.ts';
import type { OptionTexts } from '../../config/option-names.ts';
import { renderBaselines } from '../../formats/baseline/baseline-file.ts';
import { baselineExitCode } from '../../judge/baseline/drift.ts';
import { checkOutputs, writeOutput, writeOutputs } from '../../output/write-files.ts';
import { baselineDocument } from '../../report/baseline-document.ts';
import { toTerminal } from '../../report/document/terminal-writer.ts';
import { pageRenderers } from '../../report/render-formats.ts';
import { openLocalCommits } from '../../runs/baseline/local-commits.ts';
import { runBaseline } from '../../runs/baseline/run-baseline.ts';
import type { Store } from '../../store/store.ts';
import { countOf } from '../../text/numbers.ts';
import type { BaselineRecord, BaselineRun } from '../../types/baseline.ts';
import { isUserError } from '../../types/errors.ts';
import type { Progress } from '../../types/run-services.ts';
import { type MeasuringFlags, measureAndReport, type Tools } from '../measuring.ts';
import { printReport } from '../write-reports.ts';
import { openLocalStore } from './local-store.ts';

const RENDERERS = {
	json: ({ records }: BaselineRun) => renderBaselines(records),
	...pageRenderers(baselineDocument),
};

const FILES = Object.keys(RENDERERS) as readonly File[];

type File = keyof typeof RENDERERS;

export interface MeasureFlags extends OptionTexts, MeasuringFlags, Readonly<Partial<Record<File, string>>> {
	readonly store: string;
	readonly save?: boolean;
}

export async function runMeasureCommand(flags: MeasureFlags): Promise<number> {
	const cwd = process.cwd();
	checkOutputs<File>(flags, FILES);
	const request = await readBaselineRequest(cwd, flags);
	let store: Store | null = null;
	return measureAndReport(
		flags,
		async (tools) => {
			store = await openStoreFor(flags, tools);
			const earlier = store === null ? [] : (await store.read()).records;
			const commits = openLocalCommits({ ...tools, cwd, subject: request.config.subject });
			const head = await commits.findHead(flags.head ?? 'HEAD');
			const { anchor = 'auto' } = flags;
			return runBaseline({
				...tools,
				cwd,
				config: request.config,
				harnessFrom: request.harnessFrom,
				precision: request.precision,
				head,
				given: anchor === 'auto' ? null : await commits.findGiven(anchor),
				release: anchor === 'auto' ? await commits.findRelease(head) : null,
				earlier,
				// A manual run has no number, so its id is random.
				run: { id: crypto.randomUUID().replaceAll('-', ''), attempt: 1, url: null },
				skipUnchanged: true,
				findAnchor: commits.findAnchor,
				reproduce: ({ base, head: measured }) => request.reproduce(base, measured),
				keep: (records) => keepPartial(records, flags.json, tools.progress),
			}).catch(nameAnchor);
		},
		async (run) => {
			printReport((style) => toTerminal(baselineDocument(run), style));
			await writeOutputs<File, BaselineRun>(flags, RENDERERS, run);
			if (flags.save && !run.interrupted && run.records.length > 0) await save(store, run.records);
			return baselineExitCode(run, request.drift);
		},
	);
}

/** The base of a baseline is its anchor. */
function nameAnchor(error: unknown): never {
	throw isUserError(error) && error.where === '--base' ? Object.assign(error, { where: '--anchor' }) : error;
}

/** Without history no push is skipped and no era begins. */
async function openStoreFor(flags: MeasureFlags, tools: Tools): Promise<Store | null> {
	try {
		const store = await openLocalStore({ ...tools, cwd: process.cwd(), store: flags.store });
		await store.read();
		return store;
	} catch (error) {
		if (flags.save || !isUserError(error) || error.code === 'bad-store') throw error;
		tools.progress.step(`Measuring without the stored baselines: ${error.message}`);
		return null;
	}
}

async function save(store: Store | null, records: readonly BaselineRecord[]): Promise<void> {
	if (store === null) return;
	const { place, added, kind } = await store.append(records);
	process.stderr.write(`${countOf(added, 'baseline')} ${kind === 'stored' ? 'stored on' : 'waiting on'} ${place}.\n`);
}

/** The run goes on: a full disk may have space again later. */
async function keepPartial(
	records: readonly BaselineRecord[],
	path: string | undefined,
	progress: Progress,
): Promise<void> {
	if (path === undefined) return;
	try {
		await writeOutput({ flag: '--json', path, content: renderBaselines(records) });
	} catch (error) {
		progress.step(`${(error as Error).message} (the run goes on, and tries again after the next round)`);
	}
}
