import type { Repository } from '../../types/action-run.ts';
import type { Warning } from '../../types/units.ts';
import { statusOf, warningOf } from '../api-failure.ts';
import type { GitHub } from '../github-client.ts';
import type { AcceptancePlace, FoundAcceptances, PullState } from './acceptance-place.ts';
import { ignored, nameOf, refusalOf } from './accepting-person.ts';

/** What the label's events tell. */
interface LabelEvents {
	/** Who put it on last, and when; null when GitHub does not tell. */
	readonly last: {
		readonly id: number;
		readonly at: string;
		readonly by: string | null;
		readonly viaApp: boolean;
	} | null;
	/** When the pull request last became one that no commit of its own tells apart; null for never. */
	readonly changedAt: string | null;
}

/** After these, the head may be a commit that was measured before, or is compared with another branch. */
const CHANGES = ['head_ref_force_pushed', 'head_ref_restored', 'reopened', 'base_ref_changed'];
const AGAIN = 'Take the label off and on again to accept what is red now.';

/**
 * Returns what the label on a pull request accepts: everything that is red in the head commit it was put on for. It was for this
 * one when it is newer than the first run on this commit, and than every force push. Throws failed calls.
 */
export async function findLabel(github: GitHub, place: AcceptancePlace, pull: PullState): Promise<FoundAcceptances> {
	if (!pull.labels.some((name) => isSameLabel(name, place.label))) return { acceptances: [], warnings: [] };
	const { last, changedAt } = await readEvents(github, place);
	const by = last?.by ?? null;
	const refusal = await refusalOf(github, place.repository, by, last?.viaApp);
	const refuse = (warning: Warning): FoundAcceptances => ({ acceptances: [], warnings: [warning] });
	if (last === null || by === null || refusal) return refuse(ignored(`The label, put on by ${nameOf(by)}, ${refusal}`));
	const shown = await firstRunOf(github, place, pull);
	if (shown !== null && typeof shown !== 'string') return refuse(shown);
	const outdated = whyOutdated(last.at, shown, changedAt, place.headSha);
	if (outdated) return refuse(ignored(`The label, put on by ${nameOf(by)}, does not count: ${outdated} ${AGAIN}`));
	return { acceptances: [{ by, via: 'label', reason: null, headSha: place.headSha }], warnings: [] };
}

/** Null when a label of the moment `at` is for this head. All moments are GitHub's own, never a commit's. */
function whyOutdated(at: string, shown: string | null, changedAt: string | null, headSha: string): string | null {
	const moment = Date.parse(at);
	const commit = headSha.slice(0, 10);
	if (shown === null) return `there is no run on a pull request to tell whether it was put on for commit ${commit}.`;
	if (!(moment > Date.parse(shown)))
		return `it is older than the first run on commit ${commit}, so it was for an earlier one.`;
	if (changedAt !== null && !(moment > Date.parse(changedAt)))
		return 'the branch was force-pushed, or the pull request reopened or moved to another base, after that.';
	return null;
}

async function readEvents(github: GitHub, { repository, number, label }: AcceptancePlace): Promise<LabelEvents> {
	let last: LabelEvents['last'] = null;
	let changedAt: string | null = null;
	const request = { ...repository, issue_number: number, per_page: 100 };
	for await (const { data } of github.paginate.iterator(github.rest.issues.listEvents, request)) {
		for (const event of data) {
			const { id, created_at: at } = event;
			if (CHANGES.includes(event.event) && (changedAt === null || at > changedAt)) changedAt = at;
			if (event.event !== 'labeled' || !('label' in event) || !isSameLabel(event.label?.name ?? '', label)) continue;
			const viaApp = Boolean('performed_via_github_app' in event && event.performed_via_github_app);
			if (last === null || id > last.id) last = { id, at, by: event.actor?.login ?? null, viaApp };
		}
	}
	return { last, changedAt };
}

/**
 * Returns when the first run on the head commit began, of this pull request's branch and since it was opened: the commit may have been
 * measured for another one before. Null when there was none; the warning when GitHub does not show runs to the token.
 */
async function firstRunOf(github: GitHub, place: AcceptancePlace, pull: PullState): Promise<string | Warning | null> {
	const since = (moments: readonly string[]): string | null =>
		moments.filter((moment) => Date.parse(moment) >= Date.parse(pull.createdAt)).sort()[0] ?? null;
	const what = 'see which commit the label was put on for';
	try {
		return since(await listRuns(github, place, pull));
	} catch (error) {
		// Whoever pushes to this repository has write access, so its own check runs are enough where the token can read them.
		const ours = pull.headRepository?.toLowerCase() === nameOfRepository(place.repository).toLowerCase();
		if (!ours || ![403, 404].includes(statusOf(error) ?? 0)) {
			return warningOf(error, { what, needs: { actions: 'read' } });
		}
	}
	try {
		return since(await listChecks(github, place));
	} catch (error) {
		return warningOf(error, { what, needs: { actions: 'read' } });
	}
}

async function listRuns(
	github: GitHub,
	{ repository, headSha }: AcceptancePlace,
	pull: PullState,
): Promise<readonly string[]> {
	const runs = await github.paginate(github.rest.actions.listWorkflowRunsForRepo, {
		...repository,
		head_sha: headSha,
		event: 'pull_request',
		per_page: 100,
	});
	return runs
		.filter(({ event, head_sha }) => event === 'pull_request' && head_sha === headSha)
		.filter(({ head_branch, head_repository }) => {
			return (
				head_branch === pull.headRef && head_repository?.full_name?.toLowerCase() === pull.headRepository?.toLowerCase()
			);
		})
		.map(({ created_at }) => created_at);
}

async function listChecks(github: GitHub, { repository, headSha }: AcceptancePlace): Promise<readonly string[]> {
	const request = { ...repository, ref: headSha, filter: 'all', per_page: 100 } as const;
	const checks = await github.paginate(github.rest.checks.listForRef, request);
	return checks.flatMap(({ external_id: id, started_at: at }) => (id?.startsWith('benchgate:') && at ? [at] : []));
}

function nameOfRepository({ owner, repo }: Repository): string {
	return `${owner}/${repo}`;
}

/** GitHub's labels differ in case only by spelling. */
function isSameLabel(a: string, b: string): boolean {
	return a.toLowerCase() === b.toLowerCase();
}
