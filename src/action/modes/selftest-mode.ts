import { join } from 'node:path';
import { readSelftest } from '../../config/load-request.ts';
import { selftestExitCode } from '../../judge/selftest/summarise-selftest.ts';
import { findNode } from '../../measure/machine.ts';
import { writeOutput } from '../../output/write-files.ts';
import { toTerminal } from '../../report/document/terminal-writer.ts';
import { SELFTEST_FORMAT_NAMES, SELFTEST_FORMATS, type SelftestFormat } from '../../report/formats.ts';
import { SELFTEST_RENDERERS } from '../../report/render-formats.ts';
import { selftestDocument } from '../../report/selftest-document.ts';
import { runSelftest } from '../../runs/selftest/run-selftest.ts';
import { EXIT } from '../../types/errors.ts';
import type { SelftestResult } from '../../types/selftest.ts';
import { type ActionSession, cacheFolderOf } from '../action-session.ts';
import { LOG_STYLE } from '../publish/speak.ts';
import { type ModeOutcome, SILENT } from './mode-outcome.ts';

/** Fails the step if the gate cannot be trusted on this runner. */
export async function runSelftestMode(session: ActionSession): Promise<ModeOutcome> {
	const { inputs, runner, janitor, progress, signal } = session;
	const request = await readSelftest({ ...inputs.options, spelling: 'input' });
	const result = await runSelftest({
		...request,
		cwd: runner.workspace,
		cacheFolder: cacheFolderOf(session),
		node: findNode(inputs.options.node),
		janitor,
		progress,
		signal,
	});
	const code = selftestExitCode(result);
	return {
		...SILENT,
		summary: SELFTEST_RENDERERS.markdown(result),
		outputs: { outcome: code === EXIT.passed ? 'pass' : code === EXIT.gateFailed ? 'fail' : 'error' },
		files: await writeSelftestFiles(runner.tempFolder, result),
		log: toTerminal(selftestDocument(result), LOG_STYLE),
		notices: code === EXIT.passed ? ['the gate can be trusted on this runner'] : [],
		fail: code === EXIT.passed ? [] : [code === EXIT.gateFailed ? NO_TRUST : NO_ANSWER],
	};
}

const NO_TRUST = 'the gate cannot be trusted on this runner: see the summary of the job';
const NO_ANSWER = 'the selftest could not decide whether the gate can be trusted: see the summary of the job';

async function writeSelftestFiles(folder: string, result: SelftestResult): Promise<ModeOutcome['files']> {
	const paths: Partial<Record<SelftestFormat, string>> = {};
	for (const name of SELFTEST_FORMAT_NAMES) {
		const { file, output } = SELFTEST_FORMATS[name];
		const path = join(folder, file);
		await writeOutput({ flag: `output ${output}`, path, content: SELFTEST_RENDERERS[name](result) });
		paths[name] = path;
	}
	return paths;
}
