import { createHash } from 'node:crypto';
import { type ApiRequest, type Handler, notFound, page, refuse } from './answer.ts';
import { HTML, isCommit, now, repositoryOf, resolveRef, userOf } from './serialise.ts';
import { accountOf, nextId } from './state.ts';
import type { CollaboratorRole, DoubleState } from './types.ts';

export const getRepository: Handler = (_request, state) => ({
	status: 200,
	body: { ...repositoryOf(state.repository, state), default_branch: state.defaultBranch },
});

/** Permissions of roles that have none of their own name. */
const PERMISSIONS: Record<CollaboratorRole, string> = {
	admin: 'admin',
	maintain: 'write',
	write: 'write',
	triage: 'read',
	read: 'read',
	none: 'none',
};

export const getCollaborator: Handler = (request, state) => {
	const login = String(request.values.username);
	const collaborator = Object.keys(state.collaborators).find((name) => name.toLowerCase() === login.toLowerCase());
	const role = collaborator === undefined ? undefined : state.collaborators[collaborator];
	if (collaborator === undefined || role === undefined)
		return refuse(404, `${login} is not a user`, request.operation.docs);
	const user = { ...userOf(accountOf(collaborator)), role_name: role };
	return { status: 200, body: { permission: PERMISSIONS[role], role_name: role, user } };
};

/** Commits come in pages, files only with the first one, 300 at most. */
export const compareCommits: Handler = (request, state) => {
	const mergeBase = state.compare[String(request.values.basehead)];
	if (mergeBase === undefined) return notFound(request);
	const [base = '', head = ''] = String(request.values.basehead).split('...');
	const commit = (sha: string) => commitOf(sha, [], request, state);
	const files = Number(request.values.page ?? 1) > 1 ? [] : (state.compared[String(request.values.basehead)] ?? []);
	return page(request, [], () => ({
		status: mergeBase === head ? 'behind' : mergeBase === base ? 'ahead' : 'diverged',
		base_commit: commit(resolveRef(base, state) ?? base),
		merge_base_commit: commit(mergeBase),
		commits: [],
		files: files.slice(0, 300).map((filename) => ({ filename, status: 'modified' })),
	}));
};

export const getCommit: Handler = (request, state) => {
	const sha = resolveRef(String(request.values.ref), state);
	if (sha === null) return noCommit(request, String(request.values.ref));
	return { status: 200, body: commitOf(sha, state.commits?.[sha] ?? [], request, state) };
};

export const getRef: Handler = (request, state) => {
	const ref = String(request.values.ref);
	const sha = state.refs[ref] ?? state.releases.find(({ tag }) => ref === `tags/${tag}`)?.sha;
	if (sha === undefined) return notFound(request);
	return { status: 200, body: { ref: `refs/${ref}`, object: { type: 'commit', sha, url: `${HTML}/${sha}` } } };
};

export const getLatestRelease: Handler = (request, state) => {
	const release = state.releases.find(({ draft = false, prerelease = false }) => !draft && !prerelease);
	if (!release) return notFound(request);
	const body = {
		id: 1,
		tag_name: release.tag,
		name: release.tag,
		target_commitish: state.defaultBranch,
		html_url: `${HTML}/${state.repository}/releases/tag/${release.tag}`,
		author: userOf(accountOf('releaser')),
	};
	return { status: 200, body };
};

export const listTags: Handler = (request, state) => {
	const tags = new Map(state.releases.map(({ tag, sha }) => [tag, sha]));
	for (const [ref, sha] of Object.entries(state.refs)) {
		if (ref.startsWith('tags/')) tags.set(ref.slice('tags/'.length), sha);
	}
	return page(request, [...tags], (part) => part.map(([name, sha]) => ({ name, commit: { sha } })));
};

/** A link to a file answers with the content of that file, any other with the link itself. */
export const getContent: Handler = (request, state) => {
	const path = String(request.values.path);
	const files = filesAt(String(request.values.ref), state);
	const link = state.links[path];
	const text = files[link ?? path];
	const name = path.split('/').at(-1);
	if (text === undefined && link !== undefined) {
		return { status: 200, body: { type: 'symlink', target: link, path, name, size: link.length } };
	}
	if (text === undefined) return notFound(request);
	const bytes = Buffer.from(text);
	const content = bytes.toString('base64');
	return { status: 200, body: { type: 'file', encoding: 'base64', path, name, size: bytes.length, content } };
};

/** The tree of a commit, or of a folder below it, whose sha holds both. A recursive one has the hashes of texts. */
export const getTree: Handler = (request, state) => {
	const sha = String(request.values.tree_sha);
	if (request.values.recursive !== undefined) {
		const tree = Object.entries(filesAt(sha, state)).map(([path, text]) => ({
			...{ path, mode: '100644', type: 'blob' },
			sha: createHash('sha1').update(text).digest('hex'),
		}));
		return { status: 200, body: { sha, tree, truncated: false } };
	}
	const [commit = '', folder = ''] = sha.split(':');
	const start = folder === '' ? '' : `${folder}/`;
	const paths = [...Object.keys(filesAt(commit, state)), ...Object.keys(state.links)];
	const below = paths.filter((path) => path.startsWith(start)).map((path) => path.slice(start.length));
	const tree = [...new Set(below.map((path) => path.split('/')[0] ?? ''))].map((name) => {
		const at = `${start}${name}`;
		if (state.links[at] !== undefined) return { path: name, mode: '120000', type: 'blob', sha: commit };
		if (!below.includes(name)) return { path: name, mode: '040000', type: 'tree', sha: `${commit}:${at}` };
		return { path: name, mode: '100644', type: 'blob', sha: commit };
	});
	return { status: 200, body: { sha, tree, truncated: false } };
};

function filesAt(ref: string, state: DoubleState): Record<string, string> {
	const files = Object.entries({ ...state.contents, ...state.contentsAt[ref] });
	return Object.fromEntries(files.flatMap(([path, text]) => (text === null ? [] : [[path, text]])));
}

export const createStatus: Handler = (request, state) => {
	const sha = String(request.values.sha);
	if (!isCommit(sha, state)) return { ...noCommit(request, sha), invalid: true };
	const commitStatus = request.body as { state: string; context?: string; description?: string; target_url?: string };
	const { state: outcome, context = 'default', description = null, target_url: targetUrl = null } = commitStatus;
	const id = nextId(state.statuses);
	state.statuses.push({ id, sha, state: outcome, context, description, targetUrl });
	const body = { id, state: outcome, context, description, target_url: targetUrl, creator: userOf(state.user) };
	return { status: 201, body: { ...body, created_at: now(), updated_at: now() } };
};

const noCommit = (request: ApiRequest, sha: string) =>
	refuse(422, `No commit found for SHA: ${sha}`, request.operation.docs);

function commitOf(
	sha: string,
	parents: readonly string[],
	request: ApiRequest,
	state: DoubleState,
): Record<string, unknown> {
	const api = `${request.url.origin}/repos/${state.repository}/commits`;
	return {
		sha,
		url: `${api}/${sha}`,
		html_url: `${HTML}/${state.repository}/commit/${sha}`,
		author: null,
		committer: null,
		parents: parents.map((parent) => ({ sha: parent, url: `${api}/${parent}` })),
	};
}
