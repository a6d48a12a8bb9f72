import { join } from 'node:path';
import { notice, setFailed, setOutput } from '@actions/core';
import { readSelftestConfig } from '../../config/load-selftest-config.ts';
import { describeSelftestCommand } from '../../config/repeat-selftest.ts';
import { selftestExitCode } from '../../judge/selftest/selftest-exit-code.ts';
import { findNode } from '../../measure/find-node.ts';
import { writeOutput } from '../../output/write-files.ts';
import { fileOutputs, SELFTEST_FORMAT_NAMES, SELFTEST_FORMATS, type SelftestFormat } from '../../report/formats.ts';
import { SELFTEST_RENDERERS } from '../../report/render-formats.ts';
import { renderSelftest } from '../../report/selftest/selftest-terminal.ts';
import { runSelftest } from '../../runs/selftest/run-selftest.ts';
import { EXIT } from '../../types/errors.ts';
import { type ActionSession, cacheFolderOf } from '../action-session.ts';
import { writeSummary } from '../publish/finish.ts';
import { disarm } from '../publish/speak.ts';

/** Width of a report in a job's log. */
const LOG_WIDTH = 120;

/** Tests the gate on this runner and says how far it can be trusted here; red when it cannot. */
export async function runSelftestRequest(session: ActionSession): Promise<void> {
	const { inputs, runner, janitor, progress, signal } = session;
	const { servers: server, scenarios: scenario, threshold, tolerance, budget, seed } = inputs;
	const flags = { server, scenario, threshold, tolerance, budget, seed, spelling: 'input' } as const;
	const config = await readSelftestConfig(flags);
	const result = await runSelftest({
		config,
		cwd: runner.workspace,
		cacheFolder: cacheFolderOf(session),
		node: findNode(inputs.node),
		reproduce: describeSelftestCommand(config),
		janitor,
		progress,
		signal,
	});
	const paths: Partial<Record<SelftestFormat, string>> = {};
	for (const name of SELFTEST_FORMAT_NAMES) {
		const { file, output } = SELFTEST_FORMATS[name];
		const path = join(runner.tempFolder, file);
		await writeOutput({ flag: `output ${output}`, path, content: SELFTEST_RENDERERS[name](result) });
		paths[name] = path;
	}
	for (const [name, path] of Object.entries(fileOutputs(SELFTEST_FORMATS, paths))) setOutput(name, path);
	await writeSummary(session, SELFTEST_RENDERERS.markdown(result));
	process.stdout.write(`${disarm(renderSelftest(result, { colour: false, width: LOG_WIDTH }))}\n`);
	const code = selftestExitCode(result);
	setOutput('outcome', code === EXIT.passed ? 'pass' : code === EXIT.gateFailed ? 'fail' : 'error');
	if (code === EXIT.passed) notice('the gate can be trusted on this runner', { title: 'benchgate selftest' });
	else if (code === EXIT.gateFailed) setFailed('the gate cannot be trusted on this runner: see the summary of the job');
	else setFailed('the selftest could not tell whether the gate can be trusted: see the summary of the job');
}
