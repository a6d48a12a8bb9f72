import { EXIT } from '../../types/errors.ts';
import type { Finding } from '../../types/finding.ts';
import { type Right, rolesOf, type WorkflowCall } from './workflow-calls.ts';

/**
 * Permissions that the calling job must grant: GitHub starts nothing if a job inside requests more. A test compares
 * them with the workflows.
 */
export const REQUIRED_RIGHTS: Readonly<Record<string, Readonly<Record<string, Right>>>> = {
	'benchmark.yml': { contents: 'read', 'pull-requests': 'read' },
	'report.yml': { contents: 'read', actions: 'read', checks: 'write', 'pull-requests': 'write' },
	'baseline.yml': { contents: 'write', 'pull-requests': 'write' },
	'command.yml': { actions: 'write', 'pull-requests': 'write' },
};

/** For comment and check; the gate works without them. */
const SPEAKING_RIGHTS: Readonly<Record<string, Right>> = { 'pull-requests': 'write', checks: 'write' };

/** Permissions that `mode: report` requires. */
const REPORTING_RIGHTS: Readonly<Record<string, Right>> = { actions: 'read', ...SPEAKING_RIGHTS };

const SHORT_COMMIT = /^[0-9a-f]{7,39}$/;
const CHECKOUT = /^actions\/checkout@/;
const BRANCHES: readonly string[] = ['main', 'master', 'HEAD'];
const RANK: Readonly<Record<Right, number>> = { none: 0, read: 1, write: 2 };

/** Returns problems; `all` are the uses in the repository. */
export function checkCall(call: WorkflowCall, all: readonly WorkflowCall[]): readonly Finding[] {
	return [...checkRef(call), ...checkSteps(call), ...checkTrigger(call), ...checkRights(call, all)];
}

export function problemIn(text: string, remedy: string): Finding {
	return { kind: 'problem', about: 'workflows', text, remedy, exitCode: EXIT.usage };
}

export function noteOn(about: string, text: string, remedy: string): Finding {
	return { kind: 'note', about, text, remedy };
}

/** `.github/workflows/bench.yml:7 (job measure)`. */
export function nameCall({ file, job, line: usesLine }: WorkflowCall, line = usesLine): string {
	return `${file}:${line} (job ${job})`;
}

function checkRef(call: WorkflowCall): readonly Finding[] {
	const { ref } = call;
	if (ref === null) return [problemIn(`${nameCall(call)} names no version of benchgate`, 'add one: …@v0')];
	if (SHORT_COMMIT.test(ref)) return [shortened(call, `benchgate@${ref}`)];
	if (!BRANCHES.includes(ref)) return [];
	return [
		noteOn(
			'workflows',
			`${nameCall(call)} runs the latest commit of the branch ${ref} of benchgate`,
			'name a version: …@v0',
		),
	];
}

function checkSteps(call: WorkflowCall): readonly Finding[] {
	const { stepsBefore } = call;
	const used = stepsBefore.flatMap(({ uses }) => (typeof uses === 'string' ? [uses.trim()] : []));
	const others = used.filter((uses) => !/^(?:[.$]\/|docker:)/.test(uses));
	const unnamed = others.filter((uses) => !uses.includes('@'));
	const short = others.filter((uses) => SHORT_COMMIT.test(uses.split('@')[1] ?? ''));
	return [
		...unnamed.map((uses) =>
			problemIn(`${nameCall(call)} uses ${uses} without a version`, 'add its tag or commit after an @'),
		),
		...short.map((uses) => shortened(call, uses)),
		...checkCheckout(call, used),
	];
}

/** Only comparisons and baselines need a checkout. */
function checkCheckout(call: WorkflowCall, used: readonly string[]): readonly Finding[] {
	const measures = rolesOf(call).some((role) => role === 'compare' || role === 'baseline');
	if (call.reusable !== null || !measures) return [];
	if (!used.some((uses) => CHECKOUT.test(uses))) {
		return [
			problemIn(
				`${nameCall(call)} has no checkout before benchgate`,
				'add a step that uses actions/checkout, with fetch-depth: 0',
			),
		];
	}
	const checkout = call.stepsBefore.find(({ uses }) => typeof uses === 'string' && CHECKOUT.test(uses.trim()));
	const depth = (checkout?.with as { readonly 'fetch-depth'?: unknown } | undefined)?.['fetch-depth'];
	if (String(depth) === '0' || String(depth).includes('${{')) return [];
	const text = `${nameCall(call)} checks out without fetch-depth: 0, so the commits to compare are fetched in every run`;
	return [noteOn('workflows', text, 'give the step that uses actions/checkout: with: { fetch-depth: 0 }')];
}

function checkTrigger(call: WorkflowCall): readonly Finding[] {
	if (!call.events.has('pull_request_target')) return [];
	const text = `${nameCall(call)} runs on pull_request_target, which benchgate refuses: its token may write, and so could the pull request's code`;
	return [
		problemIn(text, 'measure on pull_request, and report from a workflow on workflow_run (docs/fork-pull-requests.md)'),
	];
}

function checkRights(call: WorkflowCall, all: readonly WorkflowCall[]): readonly Finding[] {
	const roles = rolesOf(call);
	const required =
		call.reusable !== null ? REQUIRED_RIGHTS[call.reusable] : roles.includes('report') ? REPORTING_RIGHTS : undefined;
	if (required !== undefined) return refuseMissing(call, required);
	const reported = all.some((other) => other !== call && rolesOf(other).includes('report'));
	if (!roles.includes('compare') || reported) return [];
	const missing = missingRights(call, SPEAKING_RIGHTS);
	if (missing.length === 0) return [];
	const text = `${nameCall(call)} may not write ${missing.join(' and ')}, so there is no comment or check`;
	return [
		noteOn(
			'workflows',
			text,
			`add permissions: ${writeRights(SPEAKING_RIGHTS)}, or the workflow that reports (benchgate init)`,
		),
	];
}

function refuseMissing(call: WorkflowCall, required: Readonly<Record<string, Right>>): readonly Finding[] {
	const remedy = `give the job permissions: ${writeRights(required)}`;
	if (call.rights === null) {
		const text = `${nameCall(call)} leaves its permissions to the settings of the repository, which may be too few`;
		return [noteOn('workflows', text, remedy)];
	}
	const missing = missingRights(call, required);
	if (missing.length === 0) return [];
	const what = missing.map((scope) => `${scope}: ${required[scope]}`).join(', ');
	const then = call.reusable === null ? 'it cannot report' : `GitHub does not start ${call.reusable}`;
	return [problemIn(`${nameCall(call)} lacks the permission ${what}: ${then}`, remedy)];
}

function missingRights({ rights }: WorkflowCall, wanted: Readonly<Record<string, Right>>): string[] {
	if (rights === null) return [];
	return Object.entries(wanted).flatMap(([scope, right]) => (RANK[rights(scope)] < RANK[right] ? [scope] : []));
}

function shortened(call: WorkflowCall, uses: string): Finding {
	return problemIn(
		`${nameCall(call)} uses ${uses}, a shortened commit, which GitHub refuses`,
		'write all 40 digits of it, or a tag',
	);
}

function writeRights(rights: Readonly<Record<string, Right>>): string {
	return `{ ${Object.entries(rights)
		.map(([scope, right]) => `${scope}: ${right}`)
		.join(', ')} }`;
}
