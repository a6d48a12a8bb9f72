import {
	type ActionRequest,
	type BaseRule,
	type CompareRequest,
	type GateMode,
	NEVER_STARTED,
	PULL_REQUEST_EVENTS,
	type PullRequest,
	type RequestOf,
	type RunnerContext,
	SHARD_MODES,
	STANDALONE_MODES,
} from '../../types/action-run.ts';
import { UserError } from '../../types/errors.ts';
import { parseCommand } from './bench-command.ts';
import type { ActionInputs } from './inputs.ts';
import {
	badEvent,
	ID,
	LOGIN,
	orNull,
	peek,
	REF,
	read,
	readMeasuredRun,
	readPullRequest,
	SHA,
	TEXT,
	WORD,
} from './payload.ts';

export interface Event {
	readonly runner: RunnerContext;
	readonly payload: unknown;
	readonly inputs: ActionInputs;
	/** Set by `mode: compare`, to compare even where `auto` would not. */
	readonly forced: boolean;
}

const READERS: ReadonlyMap<string, (event: Event) => ActionRequest> = new Map([
	['pull_request', readPullRequestEvent],
	['merge_group', readMergeGroup],
	['push', readPush],
	['workflow_dispatch', readManualRun],
	['schedule', readSchedule],
	['workflow_run', readReportRequest],
	['issue_comment', readCommandRequest],
]);

/** Events for code that is not merged yet. It must never become a baseline. */
const FOREIGN_EVENTS: readonly string[] = [...PULL_REQUEST_EVENTS, 'issue_comment'];

/** Strangers can start runs of these events, and the runs get a write token. */
const PRIVILEGED_EVENTS: readonly string[] = ['workflow_run', 'issue_comment'];

/** A hash of zeros, sent before a branch's first push and after its deletion. */
const NO_COMMIT = /^0+$/;

/**
 * Returns the request of an event (table in docs/action.md).
 *
 * @throws UserError `unsafe-event` if measuring would give a write token to code under test; `unsupported-event`;
 * `wrong-mode`; `bad-event`.
 */
export function readRequest(runner: RunnerContext, inputs: ActionInputs): ActionRequest {
	const { eventName, payload } = runner;
	if (eventName === 'pull_request_target') throw unsafeTarget();
	const standalone = STANDALONE_MODES.find((mode) => mode === inputs.mode);
	if (standalone === 'bisect' && PRIVILEGED_EVENTS.includes(eventName)) throw unsafeCompare(standalone, eventName);
	if (standalone) return { kind: standalone };
	const part = SHARD_MODES.find((mode) => mode === inputs.mode);
	if (part && PRIVILEGED_EVENTS.includes(eventName)) throw unsafeCompare(part, eventName);
	if (part) {
		const whole = readRequest(runner, { ...inputs, mode: 'compare' });
		return whole.kind === 'compare' ? { kind: part, asked: whole } : whole;
	}
	if (inputs.mode === 'report' && eventName !== 'workflow_run') {
		throw new UserError({
			code: 'wrong-mode',
			where: 'input mode',
			message: `mode report works on workflow_run only, not on ${eventName}: it publishes what another workflow measured`,
			remedy:
				'use mode: auto here, and mode: report in a second workflow with on: workflow_run (docs/fork-pull-requests.md)',
		});
	}
	const forced = inputs.mode === 'compare' || inputs.mode === 'baseline';
	if (forced && eventName === 'workflow_run') throw unsafeCompare(inputs.mode, eventName);
	if (inputs.mode === 'baseline' && FOREIGN_EVENTS.includes(eventName)) throw foreignBaseline(eventName);
	const reader = READERS.get(eventName) ?? readOther;
	return reader({ runner, payload, inputs, forced });
}

interface Found {
	/** The event is about the default branch, so `auto` measures a baseline. */
	readonly settled?: boolean;
	readonly base: BaseRule;
	readonly baseTip?: string;
	readonly head: string;
	readonly checkSha: string;
	readonly pullRequest?: PullRequest;
	readonly gate: GateMode;
	readonly title: string;
}

/** If base is given and mode is `auto`, the run compares. */
function measure(event: Event, target: Found): ActionRequest {
	const { mode, options } = event.inputs;
	const isBaseline = mode === 'baseline' || (mode === 'auto' && target.settled === true && options.base === undefined);
	if (!isBaseline) return compare(event, target);
	const { ref } = event.runner;
	const branch = ref.startsWith('refs/heads/') ? shortRef(ref) : null;
	return { kind: 'baseline', head: options.head ?? target.head, branch, title: target.title };
}

function compare({ inputs }: Event, target: Found): CompareRequest {
	return {
		kind: 'compare',
		base: inputs.options.base === undefined ? target.base : { kind: 'given', revision: inputs.options.base },
		baseTip: target.baseTip ?? null,
		head: inputs.options.head ?? target.head,
		pullRequest: target.pullRequest ?? null,
		checkSha: target.checkSha,
		gate: inputs.gate ?? target.gate,
		command: null,
		title: target.title,
	};
}

/**
 * Compares on every action but `closed`, even if the code did not change (a label): a green "nothing to do" would
 * replace the commit's red check.
 */
function readPullRequestEvent(event: Event): ActionRequest {
	if (read(event.payload, 'action', WORD) === 'closed' && !event.forced) return nothing('the pull request was closed');
	const pullRequest = readPullRequest(event.payload);
	return compare(event, {
		base: { kind: 'merge-base', with: pullRequest.baseSha },
		baseTip: pullRequest.baseSha,
		head: pullRequest.headSha,
		checkSha: pullRequest.headSha,
		pullRequest,
		gate: 'enforce',
		title: `pull request #${pullRequest.number}`,
	});
}

function readMergeGroup(event: Event): ActionRequest {
	const action = read(event.payload, 'action', WORD);
	if (action !== 'checks_requested') return nothing(`a merge group's action "${action}" requests no checks`);
	const head = read(event.payload, 'merge_group.head_sha', SHA);
	const baseTip = read(event.payload, 'merge_group.base_sha', SHA);
	return compare(event, {
		base: { kind: 'commit', sha: baseTip },
		baseTip,
		head,
		checkSha: head,
		gate: 'enforce',
		title: `merge group for ${shortRef(read(event.payload, 'merge_group.base_ref', REF))}`,
	});
}

function readPush(event: Event): ActionRequest {
	const ref = read(event.payload, 'ref', REF);
	const head = read(event.payload, 'after', SHA);
	if (NO_COMMIT.test(head)) return nothing(`${shortRef(ref)} was deleted`);
	if (ref.startsWith('refs/tags/') && !event.forced) {
		return nothing(
			'a tag brings no new code; to compare it anyway, set mode: compare (its base is the commit before it)',
		);
	}
	const tip = read(event.payload, 'before', SHA);
	return measure(event, {
		settled: isDefault(event, ref),
		base: NO_COMMIT.test(tip) ? { kind: 'parent' } : { kind: 'commit', sha: tip },
		head,
		checkSha: head,
		gate: 'advisory',
		title: `push to ${shortRef(ref)}`,
	});
}

function readManualRun(event: Event): ActionRequest {
	const branch = read(event.payload, 'repository.default_branch', REF);
	const ref = event.runner.ref;
	// A tag is not merged into a branch, so it is compared with the release, like the default branch.
	const settled = ref === `refs/heads/${branch}` || ref.startsWith('refs/tags/');
	if (settled || event.inputs.options.base !== undefined || event.inputs.mode === 'baseline')
		return atRunnersCommit(event, { kind: 'anchor' }, 'manual run');
	const baseTip = `git:${branch}`;
	return atRunnersCommit(event, { kind: 'merge-base', with: baseTip }, 'manual run', { baseTip });
}

function readSchedule(event: Event): ActionRequest {
	return atRunnersCommit(event, { kind: 'anchor' }, 'scheduled run', { settled: true });
}

/** Other events do not identify code, so the workflow must set mode and base. */
function readOther(event: Event): ActionRequest {
	const { eventName } = event.runner;
	if ((event.forced && event.inputs.options.base !== undefined) || event.inputs.mode === 'baseline')
		return atRunnersCommit(event, { kind: 'parent' }, eventName);
	throw new UserError({
		code: 'unsupported-event',
		where: `on: ${eventName}`,
		message: `the event ${eventName} does not name what to compare`,
		remedy: `use one of ${[...READERS.keys()].join(', ')}; or set the inputs mode (to compare) and base`,
	});
}

function atRunnersCommit(
	event: Event,
	base: BaseRule,
	what: string,
	more: Pick<Found, 'settled' | 'baseTip'> = {},
): ActionRequest {
	const { sha, ref } = event.runner;
	if (!SHA.accepts(sha)) throw badEvent('GITHUB_SHA is no commit');
	const title = ref === '' ? what : `${what} on ${shortRef(ref)}`;
	return measure(event, { base, head: sha, checkSha: sha, gate: 'advisory', title, ...more });
}

function isDefault({ payload }: Event, ref: string): boolean {
	const branch = peek(payload, 'repository.default_branch');
	return typeof branch === 'string' && ref === `refs/heads/${branch}`;
}

function shortRef(ref: string): string {
	return ref.replace(/^refs\/(?:heads|tags)\//, '');
}

function unsafeTarget(): UserError {
	return new UserError({
		code: 'unsafe-event',
		where: 'on: pull_request_target',
		message:
			'benchgate does not run on pull_request_target: this event gives the job a write token and the secrets of the repository. A benchmark builds and runs the code of the pull request, so anyone who opens one could take them',
		remedy:
			'use on: pull_request with permissions: contents: read to measure, and a second workflow with on: workflow_run and mode: report to comment (docs/fork-pull-requests.md)',
	});
}

function foreignBaseline(eventName: string): UserError {
	return new UserError({
		code: 'wrong-mode',
		where: 'input mode',
		message: `mode baseline does not run on ${eventName}: what is not merged yet is no baseline`,
		remedy: 'use it on push to the default branch, schedule and workflow_dispatch; here use mode: auto',
	});
}

function unsafeCompare(mode: string, eventName: string): UserError {
	return new UserError({
		code: 'unsafe-event',
		where: `on: ${eventName}, input mode`,
		message: `mode ${mode} does not run on ${eventName}: this event gives the job a write token and secrets, even when a pull request from a fork started it. Measuring runs the code of that pull request`,
		remedy: 'compare on pull_request; on workflow_run use mode: report (docs/fork-pull-requests.md)',
	});
}

export function nothing(reason: string): RequestOf<'nothing'> {
	return { kind: 'nothing', reason };
}

/** Also reports on cancelled runs, because their comment may still show "measuring". */
function readReportRequest({ payload, runner }: Event): ActionRequest {
	const action = read(payload, 'action', WORD);
	if (action !== 'completed' && action !== 'requested') return nothing(`the run is not finished (${action})`);
	if (peek(payload, 'workflow_run.head_repository') === null)
		return nothing('the repository that was measured is gone');
	const { owner, repo } = runner.repository;
	const measured = readMeasuredRun(payload, `${owner}/${repo}`);
	if (measured.conclusion !== null && NEVER_STARTED.includes(measured.conclusion)) {
		return nothing(`the run measured nothing (${measured.conclusion})`);
	}
	if (action === 'completed') return { kind: 'report', measured };
	return measured.event === 'pull_request'
		? { kind: 'announce', measured }
		: nothing(`a run on ${measured.event} has no comment to mark`);
}

function readCommandRequest({ payload }: Event): ActionRequest {
	const action = read(payload, 'action', WORD);
	if (action !== 'created') return nothing(`only new comments are read, and this one was ${action}`);
	const command = parseCommand(read(payload, 'comment.body', orNull(TEXT)) ?? '');
	if (command === null) return nothing('the comment is no /benchgate command');
	const pullRequest = peek(payload, 'issue.pull_request');
	if (pullRequest === undefined || pullRequest === null) return nothing('the command is not on a pull request');
	if (read(payload, 'issue.state', WORD) !== 'open') return nothing('the pull request is closed');
	return {
		kind: 'command',
		command,
		pullRequestNumber: read(payload, 'issue.number', ID),
		commentId: read(payload, 'comment.id', ID),
		user: read(payload, 'comment.user.login', LOGIN),
	};
}
