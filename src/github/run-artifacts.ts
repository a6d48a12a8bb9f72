import type { Repository } from '../types/action-run.ts';
import { UserError } from '../types/errors.ts';
import { type Attempt, statusOf, userErrorOf } from './api-failure.ts';
import { fetchBytes } from './fetch-bytes.ts';
import type { GitHub } from './github-client.ts';

export interface RunArtifact {
	readonly id: number;
	readonly name: string;
	readonly sizeBytes: number;
	readonly expired: boolean;
	/** ISO 8601; null when GitHub does not say. */
	readonly createdAt: string | null;
}

/**
 * Returns the artifacts of a run, over all pages; of several with one name (attempts of the run) the newest. Throws a UserError
 * when GitHub does not tell.
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
 * Returns the bytes of an artifact's zip. GitHub redirects to a store on another host, which is asked without our token.
 * Throws a UserError: `artifact-too-large` as soon as it is more than `maxBytes`, `artifact-expired`, or as `listArtifacts`.
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
		message: 'GitHub did not say where the artifact of the measured run is',
		remedy: 'Run the job again.',
	});
}

/** The client's own fetch knows the runner's proxy. */
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
