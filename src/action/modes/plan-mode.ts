/** Divides a comparison among jobs. */
import { renderPlan } from '../../formats/plan-file.ts';
import { costsByBaselines } from '../../judge/baseline/costs-by-baselines.ts';
import { findNode } from '../../measure/machine.ts';
import { toMarkdown } from '../../report/document/markdown-writer.ts';
import { toTerminal } from '../../report/document/terminal-writer.ts';
import { planDocument } from '../../report/plan-document.ts';
import { planName } from '../../report/shard-words.ts';
import { NO_BASELINES } from '../../runs/baseline/read-main-rows.ts';
import { planMatrix } from '../../runs/plan-shards.ts';
import { findUnchanged } from '../../runs/run-comparison.ts';
import type { CompareRequest, Conclusion, RequestOf } from '../../types/action-run.ts';
import type { ShardPlan } from '../../types/shards.ts';
import { PUBLICATION_FILE } from '../../types/shared-names.ts';
import { type ActionSession, cacheFolderOf } from '../action-session.ts';
import { findHash } from '../commits/fetch-commits.ts';
import { findCommits, takeFreshTip } from '../commits/find-commits.ts';
import { loadSideConfig, type SideConfig } from '../config/config-source.ts';
import { describeFailure } from '../publish/describe-failure.ts';
import { LOG_STYLE } from '../publish/speak.ts';
import { readMainRecords, targetOf } from '../record/read-main.ts';
import { commandKeyOf } from '../request/bench-command.ts';
import { optionsIn } from '../request/inputs.ts';
import { deriveOwn, unaffectedBy } from '../rules/derive-rows.ts';
import { openServices } from '../services/open-services.ts';
import { announceShards } from '../shards/announce-shards.ts';
import { handOn, PLAN_FILE, renderSaid } from '../shards/part-files.ts';
import { type ModeOutcome, SILENT } from './mode-outcome.ts';
import { orderOf } from './ordered-run.ts';

/** GitHub refuses an empty matrix. The job with this one is never started. */
const IDLE_MATRIX = { include: [{ shard: 1, of: 1 }] };

type Planned = { readonly plan: ShardPlan } | { readonly conclusion: Conclusion };

/**
 * Plans the shards without running code of either side. Never fails, because the gathering job reports why there is
 * nothing to divide.
 */
export async function runPlanMode(session: ActionSession, { asked }: RequestOf<'plan'>): Promise<ModeOutcome> {
	const { inputs, runner, warnings } = session;
	const services = openServices(session);
	const ordered = await orderOf(session, asked);
	const request = { ...asked, command: ordered?.command ?? null };
	const planned = await planRequest(session, request);
	const name = planName(runner.run.attempt, inputs.artifactName);
	if ('conclusion' in planned) {
		const files = { [PUBLICATION_FILE]: renderSaid(session, asked.checkSha, planned.conclusion) };
		const handed = await handOn(session, services.store, name, files);
		const log = planned.conclusion.kind === 'unchanged' ? NOTHING_CHANGED : null;
		const failure = planned.conclusion.kind === 'failed' ? planned.conclusion.failure : null;
		return { ...SILENT, outputs: outputsOf(handed ? name : '', null), log, failure };
	}
	const { plan } = planned;
	const handed = await handOn(session, services.store, name, { [PLAN_FILE]: renderPlan(plan) });
	// The artifact of that name may be another job's, with a plan of other rows.
	if (!handed) return { ...SILENT, outputs: outputsOf('', null) };
	const key = ordered === null ? inputs.commentKey : commandKeyOf(inputs.commentKey);
	const warning = await announceShards({ ...session, inputs: { ...inputs, commentKey: key } }, asked, plan, null);
	if (warning !== null) warnings.push(warning);
	const report = planDocument(plan, 'workflow');
	const log = toTerminal(report, LOG_STYLE);
	return { ...SILENT, summary: toMarkdown(report), outputs: outputsOf(name, plan), log };
}

const NOTHING_CHANGED = 'Nothing relevant changed, so no shard has to measure.';

function outputsOf(name: string, plan: ShardPlan | null): Readonly<Record<string, string>> {
	const include = plan?.shards.map(({ index }) => ({ shard: index, of: plan.shards.length }));
	return {
		matrix: JSON.stringify(include ? { include } : IDLE_MATRIX),
		shards: String(include?.length ?? 0),
		plan: name,
	};
}

async function planRequest(session: ActionSession, request: CompareRequest): Promise<Planned> {
	try {
		return await makePlan(session, request);
	} catch (error) {
		if (session.signal.aborted) return { conclusion: { kind: 'cancelled' } };
		return { conclusion: { kind: 'failed', failure: describeFailure(error) } };
	}
}

async function makePlan(session: ActionSession, request: CompareRequest): Promise<Planned> {
	const { inputs, runner, janitor, progress, signal } = session;
	const fresh = await takeFreshTip(session, request);
	const { access, revisions, labels } = await findCommits(session, fresh);
	const { command } = request;
	const side = await loadSideConfig({ access, inputs, command, revisions, baseTip: fresh.baseTip });
	session.warnings.push(...side.warnings);
	const { config, sideConfigs, mergeBase, harnessFrom } = side;
	const pair = {
		...{ config, sideConfigs, mergeBase, harnessFrom, revisions, labels, janitor, progress, signal },
		cwd: runner.workspace,
		cacheFolder: cacheFolderOf(session),
		node: findNode(inputs.options.node),
	};
	// A command always measures.
	const skips = inputs.skipUnchanged && command === null && !side.relevantChange;
	const sources = skips ? await findUnchanged(pair) : null;
	if (sources?.unchanged) {
		const { base, head } = sources.unchanged;
		return { conclusion: { kind: 'unchanged', base, head } };
	}
	session.warnings.push(...(sources?.warnings ?? []));
	const tip = fresh.baseTip === null ? null : await findHash(fresh.baseTip, 'base', access);
	const { id, attempt } = runner.run;
	const isGiven = request.base.kind === 'given' || inputs.options.head !== undefined;
	const records = isGiven ? [] : await readMainRecords(session, targetOf(runner));
	const main = { ...NO_BASELINES, covered: records.filter(({ coverage }) => coverage !== undefined) };
	const derived = await deriveOwn(session, request, {
		commits: { access, revisions, labels },
		config,
		main,
		isOnly: true,
	});
	const plan = await planMatrix({
		...pair,
		...(sources && sources.sameCode.length > 0 && { sameCode: sources.sameCode }),
		skipUnchanged: sources !== null && !sources.mayBeUnchanged,
		...(derived && { unaffected: unaffectedBy(derived) }),
		count: inputs.shards,
		known: costsByBaselines(records, config),
		options: optionsOf(inputs.options, command, config.seed),
		run: {
			id: String(id),
			attempt,
			...(tip !== null && { tip }),
			adopting: side.adopting,
			mayBeUnchanged: sources?.mayBeUnchanged ?? false,
			...(command !== null && { ordered: true }),
			warnings: [...session.warnings],
		},
	});
	return { plan };
}

/** Returns this job's options with those of the command, so all shards read the same config. */
function optionsOf(
	options: ActionSession['inputs']['options'],
	command: CompareRequest['command'],
	seed: SideConfig['config']['seed'],
): Readonly<Record<string, string>> {
	const { node: _, ...rest } = options;
	const optionTexts: Readonly<Record<string, string | undefined>> = {
		...rest,
		...optionsIn(command),
		seed: String(seed),
	};
	return Object.fromEntries(
		Object.entries(optionTexts).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])),
	);
}
