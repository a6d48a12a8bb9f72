import type { Repository } from '../types/action-run.ts';
import { UserError } from '../types/errors.ts';
import { type Attempt, statusOf, userErrorOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';

interface FetchRules {
	/** For messages: `the artifact`. */
	readonly what: string;
	readonly maxBytes: number;
	readonly fetch: typeof fetch;
}

const ATTEMPTS = 3;

const TIMEOUT_MS = 60_000;

export interface RunArtifact {
	readonly id: number;
	readonly name: string;
	readonly sizeBytes: number;
	readonly expired: boolean;
	/** ISO 8601, if known. */
	readonly createdAt: string | null;
}

/**
 * Returns the artifacts of a run. If attempts share a name, returns the newest. Throws UserError when the call fails.
 */
export async function listArtifacts(
	github: GitHub,
	repository: Repository,
	runId: number,
): Promise<readonly RunArtifact[]> {
	try {
		const all = await github.paginate(github.rest.actions.listWorkflowRunArtifacts, {
			...repository,
			run_id: runId,
			per_page: 100,
		});
		const newest = new Map(all.sort((a, b) => a.id - b.id).map((artifact) => [artifact.name, artifact]));
		return [...newest.values()].map(({ id, name, size_in_bytes: sizeBytes, expired, created_at: createdAt }) => ({
			id,
			name,
			sizeBytes,
			expired,
			createdAt,
		}));
	} catch (error) {
		throw userErrorOf(error, attemptOf('list the artifacts of the measured run'));
	}
}

/**
 * Returns an artifact's zip. GitHub redirects to another host, which must not get our token. Throws UserError
 * `artifact-too-large` beyond `maxBytes`, `artifact-expired`, or like `listArtifacts`.
 */
export async function downloadArtifact(
	github: GitHub,
	repository: Repository,
	id: number,
	maxBytes: number,
): Promise<Uint8Array> {
	const address = await findAddress(github, repository, id);
	return fetchBytes(address, { what: 'the artifact', maxBytes, fetch: fetchOf(github) });
}

function attemptOf(what: string): Attempt {
	return { what, needs: { actions: 'read' } };
}

async function findAddress(github: GitHub, repository: Repository, id: number): Promise<string> {
	try {
		const { headers } = await github.rest.actions.downloadArtifact({
			...repository,
			artifact_id: id,
			archive_format: 'zip',
			request: { redirect: 'manual' },
		});
		if (headers.location) return headers.location;
	} catch (error) {
		if (statusOf(error) === 410) throw expired();
		throw userErrorOf(error, attemptOf('download the artifact of the measured run'));
	}
	throw new UserError({
		code: 'github-unreachable',
		message: 'GitHub did not give the address of the artifact of the measured run',
		remedy: 'Run the job again.',
	});
}

/** The client's fetch uses the runner's proxy. */
function fetchOf(github: GitHub): typeof fetch {
	return github.request.endpoint.DEFAULTS.request?.fetch ?? fetch;
}

function expired(): UserError {
	return new UserError({
		code: 'artifact-expired',
		message: 'the artifact of the measured run has expired',
		remedy: 'Run the measuring workflow again.',
	});
}

/**
 * Fetches without credentials, in up to three attempts. Throws UserError `artifact-too-large` without reading on, or
 * `github-unreachable` without the URL, whose query is a credential.
 */
async function fetchBytes(address: string, rules: FetchRules): Promise<Uint8Array> {
	let reason = '';
	for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
		const answer = await tryOnce(address, rules);
		if (answer instanceof Uint8Array) return answer;
		reason = answer.reason;
		if (!answer.again) break;
	}
	throw new UserError({
		code: 'github-unreachable',
		message: `could not download ${rules.what}: ${reason}`,
		remedy: 'Run the job again later.',
	});
}

async function tryOnce(
	address: string,
	rules: FetchRules,
): Promise<Uint8Array | { readonly reason: string; readonly again: boolean }> {
	try {
		const response = await rules.fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
		if (response.ok) return await readAtMost(response, rules);
		await response.body?.cancel();
		return { reason: `its store answered ${response.status}`, again: response.status >= 500 };
	} catch (error) {
		if (error instanceof UserError) throw error;
		return { reason: 'the connection to its store broke', again: true };
	}
}

async function readAtMost(response: Response, { what, maxBytes }: FetchRules): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	// An error in the loop cancels the rest of the body.
	for await (const chunk of response.body ?? []) {
		size += chunk.byteLength;
		if (size > maxBytes) throw tooLarge(what, maxBytes);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

function tooLarge(what: string, maxBytes: number): UserError {
	return new UserError({
		code: 'artifact-too-large',
		message: `${what} has more than ${maxBytes} bytes`,
		remedy: 'Nothing of it was read. benchgate writes far smaller ones: look at what the measuring run uploaded.',
	});
}
