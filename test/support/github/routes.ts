import * as actions from './actions.ts';
import type { Handler } from './answer.ts';
import * as checks from './checks.ts';
import * as comments from './comments.ts';
import * as issues from './issues.ts';
import * as pulls from './pulls.ts';
import * as repository from './repository.ts';
import type { Access, DoubleState, Permission } from './types.ts';
import * as users from './users.ts';

export interface Route {
	readonly handler: Handler;
	readonly access: Access;
	/** One suffices. */
	readonly permissions: readonly Permission[];
}

const open = (handler: Handler): Route => ({ handler, access: 'none', permissions: [] });
const read = (handler: Handler, ...permissions: Permission[]): Route => ({ handler, access: 'read', permissions });
const write = (handler: Handler, ...permissions: Permission[]): Route => ({ handler, access: 'write', permissions });

/** Operation → handler and required permissions. */
export const ROUTES: Readonly<Record<string, Route>> = {
	'issues/list-comments': read(comments.listComments, 'issues', 'pull-requests'),
	'issues/get-comment': read(comments.getComment, 'issues', 'pull-requests'),
	'issues/create-comment': write(comments.createComment, 'issues', 'pull-requests'),
	'issues/update-comment': write(comments.updateComment, 'issues', 'pull-requests'),
	'issues/delete-comment': write(comments.deleteComment, 'issues', 'pull-requests'),
	'reactions/create-for-issue-comment': write(comments.reactToComment, 'issues', 'pull-requests'),
	'issues/get': read(issues.getIssue, 'issues', 'pull-requests'),
	'issues/list-for-repo': read(issues.listIssues, 'issues', 'pull-requests'),
	'issues/create': write(issues.createIssue, 'issues'),
	'issues/update': write(issues.updateIssue, 'issues'),
	'issues/list-labels-on-issue': read(pulls.listLabels, 'issues', 'pull-requests'),
	'issues/list-events': read(pulls.listEvents, 'issues', 'pull-requests'),
	'issues/list-events-for-timeline': read(pulls.listEvents, 'issues', 'pull-requests'),
	'pulls/get': read(pulls.getPull, 'pull-requests'),
	'pulls/list': read(pulls.listPulls, 'pull-requests'),
	'pulls/list-files': read(pulls.listPullFiles, 'pull-requests'),
	'repos/list-pull-requests-associated-with-commit': read(pulls.listPullsOfCommit, 'pull-requests'),
	'checks/create': write(checks.createCheck, 'checks'),
	'checks/update': write(checks.updateCheck, 'checks'),
	'checks/get': read(checks.getCheck, 'checks'),
	'checks/list-for-ref': read(checks.listChecks, 'checks'),
	'checks/list-annotations': read(checks.listAnnotations, 'checks'),
	'repos/create-commit-status': write(repository.createStatus, 'statuses'),
	'repos/get': open(repository.getRepository),
	'repos/get-collaborator-permission-level': open(repository.getCollaborator),
	'repos/compare-commits-with-basehead': read(repository.compareCommits, 'contents'),
	'repos/get-commit': read(repository.getCommit, 'contents'),
	'repos/get-content': read(repository.getContent, 'contents'),
	'repos/get-latest-release': read(repository.getLatestRelease, 'contents'),
	'repos/list-tags': open(repository.listTags),
	'git/get-ref': read(repository.getRef, 'contents'),
	'git/get-tree': read(repository.getTree, 'contents'),
	'actions/get-workflow-run': read(actions.getRun, 'actions'),
	'actions/list-workflow-runs': read(actions.listRuns, 'actions'),
	'actions/re-run-workflow': write(actions.rerun, 'actions'),
	'actions/list-workflow-runs-for-repo': read(actions.listRepositoryRuns, 'actions'),
	'actions/list-jobs-for-workflow-run': read(actions.listJobs, 'actions'),
	'actions/list-workflow-run-artifacts': read(actions.listArtifacts, 'actions'),
	'actions/get-artifact': read(actions.getArtifact, 'actions'),
	'actions/download-artifact': read(actions.downloadArtifact, 'actions'),
	'users/get-authenticated': open(users.getAuthenticatedUser),
	'apps/get-authenticated': open(users.getAuthenticatedApp),
	'rate-limit/get': open(users.getRateLimit),
};

const LEVELS: readonly Access[] = ['none', 'read', 'write'];

/** Returns whether the token permits a route. */
export function isPermitted(route: Route, state: DoubleState): boolean {
	const held = route.permissions.map((permission) => LEVELS.indexOf(state.permissions[permission] ?? 'write'));
	return Math.max(...held, 0) >= LEVELS.indexOf(route.access);
}
