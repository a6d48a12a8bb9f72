import { findOddity } from '../../formats/json-scan.ts';
import { badArtifact } from '../../formats/publication/publication-file.ts';
import { consequenceOf } from '../../judge/consequence.ts';
import { withBaselines } from '../../judge/row-drift.ts';
import { summarise } from '../../judge/summarise.ts';
import { isProse, untouchedServers } from '../../prepare/content/reads.ts';
import type { DerivedImpact } from '../../runs/derive-impact.ts';
import { nameAll } from '../../text/phrase.ts';
import type { Conclusion, MeasuredRun } from '../../types/action-run.ts';
import { isUserError } from '../../types/errors.ts';
import type { MainRow } from '../../types/main-baselines.ts';
import type { CellResult, Raw, Result } from '../../types/result.ts';
import { asksForOne } from '../../types/runtime.ts';
import type { Warning } from '../../types/units.ts';
import { describeFailure } from '../publish/describe-failure.ts';
import type { Rules } from '../rules/base-rules.ts';
import { holdToRules } from '../rules/hold-to-rules.ts';
import { RAW_FILE } from './artifact-budget.ts';
import type { Received } from './receive-artifact.ts';
import { nameRows, shedFailure, shedRaw } from './shed-raw.ts';

export interface Concluded {
	readonly conclusion: Conclusion;
	readonly notes: readonly Warning[];
	/** Whole sentences. */
	readonly doubts: readonly string[];
}

const MOST_NAMED = 10;
const NOT_DERIVED = 'no other source shows which rows the change affects';

/**
 * Judges the raw data again. A run that did not succeed never passes. `changed`: null if unknown.
 *
 * @throws UserError `bad-artifact` for raw data that cannot be judged.
 */
export function concludeReceived(
	{ publication, raw }: Received,
	rules: Rules,
	measured: Pick<MeasuredRun, 'conclusion'>,
	changed: readonly string[] | null,
	main: readonly MainRow[],
	derived: DerivedImpact | string = NOT_DERIVED,
): Concluded {
	const judged = judge(publication.conclusion, raw && withBaselines(raw, main, rules.config?.gate ?? null), rules, {
		changed: rules.revisionsGiven ? null : changed,
		derived,
	});
	const lost = measured.conclusion === 'success' ? [] : doubtLost(judged.conclusion);
	// A lost machine already explains why the run did not succeed.
	const conclusion = lost.length > 0 ? judged.conclusion : holdToRun(judged.conclusion, rules, measured);
	const doubtful = conclusion.kind === 'compared' || conclusion.kind === 'unchanged';
	const doubts = doubtful ? [...rules.doubts, ...judged.doubts, ...lost] : [];
	return { conclusion, notes: [...rules.notes, ...judged.notes], doubts };
}

interface Difference {
	readonly changed: readonly string[] | null;
	readonly derived: DerivedImpact | string;
}

function judge(stated: Conclusion, raw: Raw | null, rules: Rules, difference: Difference): Concluded {
	if (stated.kind === 'failed' && stated.failure.usage && rules.misfit !== undefined) {
		return { conclusion: { kind: 'failed', failure: describeFailure(rules.misfit) }, notes: [], doubts: [] };
	}
	if (stated.kind !== 'compared') {
		const doubts = stated.kind === 'unchanged' ? doubtUnchanged(difference.changed, rules) : [];
		return { conclusion: shedFailure(stated), notes: [], doubts };
	}
	if (raw === null) throw badArtifact(RAW_FILE, 'it is missing');
	if (raw.ended === 'interrupted') return { conclusion: { kind: 'cancelled' }, notes: [], doubts: [] };
	const { result, notes, doubts } = judgeRaw(shedRaw(raw, rules.repeat?.(raw.plan.seed) ?? null), rules, difference);
	return { conclusion: { kind: 'compared', result }, notes, doubts };
}

function judgeRaw(
	raw: Raw,
	rules: Rules,
	{ changed, derived }: Difference,
): { readonly result: Result } & Pick<Concluded, 'notes' | 'doubts'> {
	try {
		const held = holdToRules(raw, rules, changed, derived);
		const result = failMissing(summarise(held.raw), held.raw, rules);
		if (findOddity(result) === null) return { ...held, result: nameRows(result, (row) => isKnown(row, rules)) };
	} catch (error) {
		// Hostile numbers can make any line of the judge throw.
		if (isUserError(error)) throw error;
	}
	throw badArtifact(RAW_FILE, 'no verdict can be made from its numbers');
}

function isKnown({ server, scenario }: Pick<CellResult, 'server' | 'scenario'>, { config }: Rules): boolean {
	const has = (list: readonly { readonly name: string }[] = [], targetName: string) =>
		list.some(({ name }) => name === targetName);
	return has(config?.servers, server) && has(config?.scenarios, scenario);
}

/** Rows that the base branch requires but that were not measured fail the gate. */
function failMissing(result: Result, { plan }: Raw, { config }: Rules): Result {
	const missing = config === null ? [] : plan.oneSided.filter(({ verdict }) => verdict === 'removed');
	if (missing.length === 0 || result.gate.outcome === 'fail') return result;
	const lost = missing.map(({ id, metrics: [metric = 'throughput'] = [], reason }) => ({
		kind: 'removed' as const,
		rows: [{ cell: id, metric }],
		sentence: reason,
	}));
	const reasons = [...lost.map(({ sentence }) => sentence), ...result.gate.reasons];
	const causes = [...lost, ...(result.gate.causes ?? [])];
	return { ...result, gate: { ...result.gate, outcome: 'fail', reasons, causes } };
}

function doubtUnchanged(changed: readonly string[] | null, { config }: Rules): readonly string[] {
	// Without a config there are doubts already, or nothing is enforced.
	if (config === null) return [];
	const code = changed?.filter((path) => !isProse(path)) ?? [];
	const untouched = changed === null ? [] : untouchedServers(config, changed);
	const nothing = code.length === 0 || untouched.length === config.servers.length;
	if (changed !== null && nothing && asksForOne(config)) return [];
	const which = code.length === 0 ? 'the change' : code.slice(0, 3).join(', ');
	return [`The measuring run reports that nothing relevant changed. That could not be verified for ${which}.`];
}

/** An unfinished shard's rows must not pass. */
function doubtLost(conclusion: Conclusion): readonly string[] {
	const shards = conclusion.kind === 'compared' ? (conclusion.result.shards ?? []) : [];
	const lost = shards.filter(({ state }) => state !== 'complete').map(({ shard }) => `${shard}`);
	if (lost.length === 0) return [];
	const which =
		lost.length === 1
			? `Shard ${lost[0]} of ${shards.length} was`
			: `Shards ${nameAll(lost, MOST_NAMED)} of ${shards.length} were`;
	return [`${which} lost, and the measuring run did not succeed.`];
}

/** The artifact of a failed or cancelled run must not pass. */
function holdToRun(
	conclusion: Conclusion,
	rules: Rules,
	{ conclusion: ended }: Pick<MeasuredRun, 'conclusion'>,
): Conclusion {
	if (ended === 'success' || !isGood(conclusion, rules)) return conclusion;
	if (ended === 'cancelled') return { kind: 'cancelled' };
	const how = ended === 'timed_out' ? 'ran out of time' : 'failed';
	return {
		kind: 'failed',
		failure: {
			code: 'artifact-contradicts-run',
			side: null,
			message: `the measuring run ${how}, although its artifact reports a pass`,
			where: null,
			remedy:
				'see which step of the measuring run failed, and keep the benchmark in a workflow of its own; if the config of the base branch changed meanwhile, run it again',
			details: null,
			usage: false,
		},
	};
}

function isGood(conclusion: Conclusion, { gate, onInconclusive }: Rules): boolean {
	const { outcome, failStep } = consequenceOf(conclusion, { gate, onInconclusive });
	if (conclusion.kind === 'cancelled') return false;
	return outcome === 'pass' || (outcome === 'inconclusive' && !failStep);
}
