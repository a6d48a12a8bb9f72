import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readBisect } from '../../config/load-request.ts';
import { BISECTED_FILE, renderBisected } from '../../formats/baseline/trend-files.ts';
import { findNode } from '../../measure/machine.ts';
import { writeOutput } from '../../output/write-files.ts';
import { bisectDocument } from '../../report/bisect-document.ts';
import { toMarkdown } from '../../report/document/markdown-writer.ts';
import { toTerminal } from '../../report/document/terminal-writer.ts';
import { SUMMARY } from '../../report/github/comment.ts';
import { runBisect } from '../../runs/bisect/run-bisect.ts';
import { type BisectResult, bisectExitCode, bisectedOf } from '../../trend/bisect/bisect-result.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import { BISECTED_SCHEMA_VERSION } from '../../types/trend.ts';
import { toolVersion } from '../../version.ts';
import { type ActionSession, cacheFolderOf } from '../action-session.ts';
import type { ArtifactStore } from '../publish/artifact-store.ts';
import { LOG_STYLE } from '../publish/speak.ts';
import { runForeignCode } from '../services/foreign-code.ts';
import { openServices } from '../services/open-services.ts';
import { BASELINE_ARTIFACT } from './baseline-mode.ts';
import { type ModeOutcome, SILENT } from './mode-outcome.ts';

/** Finds the commit between `good` and `bad` that made a row slower. Fails only if nothing could be measured. */
export async function runBisectMode(session: ActionSession): Promise<ModeOutcome> {
	const { inputs, runner, janitor, progress, signal } = session;
	const services = openServices(session);
	const { good, bad } = bothEnds(inputs.options);
	const { config, reproduce } = await readBisect(runner.workspace, { ...inputs.options, good, bad, spelling: 'input' });
	const { value: result, rewritten } = await runForeignCode(session, () =>
		runBisect({
			config,
			good,
			bad,
			reproduce,
			cwd: runner.workspace,
			cacheFolder: cacheFolderOf(session),
			node: findNode(inputs.options.node),
			withheld: session.withheld,
			janitor,
			progress,
			signal,
		}),
	);
	if (rewritten !== null) return { ...SILENT, failure: rewritten, fail: [rewritten.message] };
	const code = bisectExitCode(result);
	const report = bisectDocument(result);
	return {
		...SILENT,
		summary: toMarkdown(report, SUMMARY),
		outputs: {
			outcome: code === EXIT.passed ? 'pass' : code === EXIT.gateFailed ? 'fail' : 'error',
			records: (await handOn(session, services.store, result)) ? '1' : '0',
		},
		log: toTerminal(report, LOG_STYLE),
		fail: code === EXIT.nothingMeasured ? ['nothing could be measured: see the summary of the job'] : [],
		cutOff: code === EXIT.interrupted,
	};
}

/** Uploads a proven commit for the job that has write access. */
async function handOn(session: ActionSession, store: ArtifactStore, result: BisectResult): Promise<boolean> {
	const { id, attempt, url } = session.runner.run;
	const bisected = bisectedOf(result, {
		schemaVersion: BISECTED_SCHEMA_VERSION,
		kind: 'benchgate-bisected',
		tool: { name: 'benchgate', version: toolVersion() },
		createdAt: new Date().toISOString(),
		run: { id: String(id), attempt, url },
	});
	if (bisected === null) return false;
	const folder = join(session.runner.tempFolder, BASELINE_ARTIFACT);
	await mkdir(folder, { recursive: true });
	const path = join(folder, BISECTED_FILE);
	await writeOutput({ flag: 'report', path, content: renderBisected(bisected) });
	const uploaded = await store.upload(BASELINE_ARTIFACT, [{ name: BISECTED_FILE, path }]);
	if ('code' in uploaded) session.warnings.push(uploaded);
	return true;
}

function bothEnds({ good, bad }: ActionSession['inputs']['options']): { readonly good: string; readonly bad: string } {
	if (good !== undefined && bad !== undefined) return { good, bad };
	throw new UserError({
		code: 'bad-input',
		where: `input ${good === undefined ? 'good' : 'bad'}`,
		message: 'a bisect needs both ends of the range',
		remedy: 'give good, a commit that was fast, and bad, a later one that is slow',
		exitCode: EXIT.usage,
	});
}
