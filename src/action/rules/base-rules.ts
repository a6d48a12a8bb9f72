import { gateOn } from '../../config/adoption-ramp.ts';
import { checkNameOf } from '../../github/check-run.ts';
import { type GateMode, type MeasuredRun, PULL_REQUEST_EVENTS } from '../../types/action-run.ts';
import { type Config, type InconclusivePolicy, SEED_LIMIT } from '../../types/config.ts';
import type { UserError } from '../../types/errors.ts';
import type { Sides, Warning } from '../../types/units.ts';
import { isCommandKey } from '../request/bench-command.ts';
import type { BaseBranch, FoundBase } from './base-branch.ts';
import { deriveConfig, type HeadPlaces } from './derive-config.ts';
import { doubtPlaces, type ExpectedCommits } from './doubt-run.ts';
import { doubtChanges, doubtJobNames, noteBehind, noteChanges } from './doubts.ts';
import { type Asked, readTold, type Told, type Wishes } from './told-inputs.ts';

/** Rules of a report, which no artifact can change. */
export interface Rules {
	readonly gate: GateMode;
	/** Last day of the adoption ramp, if the ramp makes the gate advisory. */
	readonly advisoryUntil?: string | undefined;
	readonly onInconclusive: InconclusivePolicy;
	/** Null if unknown. */
	readonly config: Config | null;
	/** Error of a command. */
	readonly misfit?: UserError;
	/** True if revisions are named: the changed files are then not the sides' difference. */
	readonly revisionsGiven?: boolean;
	/** Absent if revisions are named or the branch is unknown. */
	readonly commits?: ExpectedCommits;
	/** Returns the command that repeats the run; null for an invalid seed. */
	readonly repeat?: (seed: number) => string | null;
	readonly places?: HeadPlaces;
	/** For messages: `benchgate.yml on main`. */
	readonly source: string;
	readonly notes: readonly Warning[];
	/** Whole sentences; any doubt prevents a success. */
	readonly doubts: readonly string[];
}

/**
 * Returns the rules for a key: the reporting job's inputs, else the call in the base branch's workflow, else that
 * branch's config, else defaults. A command overrides all and is never enforced.
 *
 * @throws UserError for an incomplete installation.
 */
export async function rulesFor(
	baseBranch: FoundBase,
	measured: MeasuredRun,
	wishes: Wishes,
	{ key, command = null, now = new Date() }: Asked,
): Promise<Rules> {
	const rules = await deriveRules(baseBranch, measured, wishes, { key, command, now });
	return command === null ? rules : { ...rules, gate: 'advisory', advisoryUntil: undefined };
}

async function deriveRules(
	baseBranch: FoundBase,
	measured: MeasuredRun,
	wishes: Wishes,
	job: Required<Asked>,
): Promise<Rules> {
	const enforced: GateMode = PULL_REQUEST_EVENTS.includes(measured.event) ? 'enforce' : 'advisory';
	const plain: Rules = {
		gate: wishes.gate ?? enforced,
		onInconclusive: wishes.onInconclusive ?? 'pass',
		config: null,
		source: '',
		notes: [],
		doubts: [],
	};
	if (baseBranch === 'none') {
		return enforced === 'advisory'
			? plain
			: { ...plain, doubts: ['The base branch is gone, so nothing was verified.'] };
	}
	if ('unreadable' in baseBranch)
		return { ...plain, doubts: ['The base branch could not be read, so nothing was verified.'] };
	const changes = [...doubtChanges(baseBranch), ...(await doubtJobNames(baseBranch, checkNameOf(job.key)))];
	const jobInputs = readTold(baseBranch, wishes, job);
	if ('doubt' in jobInputs) return { ...plain, doubts: [jobInputs.doubt, ...changes] };
	const doubts = [...jobInputs.doubts, ...changes];
	const gate = wishes.gate ?? jobInputs.inputs.gate ?? enforced;
	const onInconclusive = wishes.onInconclusive ?? jobInputs.inputs.onInconclusive ?? 'pass';
	const derived = await deriveConfig(baseBranch, jobInputs, measured.headSha, job.command);
	if ('doubt' in derived) {
		const adopted = derived.adoption ? (wishes.gate ?? 'advisory') : gate;
		const { doubt, misfit } = derived;
		const rules = { ...plain, gate: adopted, onInconclusive, notes: jobInputs.notes, doubts: [doubt, ...doubts] };
		return misfit === undefined ? rules : { ...rules, misfit };
	}
	const { config, source, path, repeat, places } = derived;
	const revisions = revisionsOf(baseBranch, jobInputs, measured);
	return {
		...gateOn(gate, config.gate.enforceAfter, job.now),
		onInconclusive: config.gate.onInconclusive,
		config,
		...(jobInputs.revisionsGiven ? { revisionsGiven: true } : { commits: expectedCommits(baseBranch, measured) }),
		...(revisions && { repeat: (seed: number) => (isSeed(seed) ? repeat(revisions, seed) : null) }),
		source,
		places,
		notes: [
			...jobInputs.notes,
			...(jobInputs.inputs.configFrom === 'head' ? [] : noteChanges(baseBranch, path, source)),
			...(jobInputs.revisionsGiven ? [] : noteBehind(baseBranch)),
		],
		doubts: [...doubts, ...doubtPlaces(baseBranch.changed.paths, config)],
	};
}

function expectedCommits({ branch, mergeBase }: BaseBranch, { headSha }: MeasuredRun): ExpectedCommits {
	return { head: headSha, base: mergeBase, branch: branch.name };
}

/** Null if a revision is known only at run time. */
function revisionsOf(
	{ branch, mergeBase }: BaseBranch,
	{ options, computed }: Told,
	{ event, headSha }: MeasuredRun,
): Sides<string> | null {
	const onto = event === 'merge_group' ? branch.sha : mergeBase;
	const base = options.base ?? (onto === null ? null : `git:${onto}`);
	return base === null || computed ? null : { base, head: options.head ?? `git:${headSha}` };
}

function isSeed(seed: number): boolean {
	return Number.isInteger(seed) && seed >= 0 && seed < SEED_LIMIT;
}

/** Returns the literal comment keys in the base branch's workflow. */
export function keysIn(baseBranch: FoundBase): readonly string[] {
	if (baseBranch === 'none' || 'unreadable' in baseBranch) return [];
	const keys = (baseBranch.calls ?? []).flatMap(({ inputs }) => inputs['comment-key'] ?? []);
	return keys.filter((key) => !isCommandKey(key));
}
