import { badArtifact } from '../../formats/publication/publication-file.ts';
import type { GitHub } from '../../github/github-client.ts';
import { downloadArtifact, listArtifacts, type RunArtifact } from '../../github/run-artifacts.ts';
import { type MeasuredRun, PUBLICATION_FILE, type Publication, type Repository } from '../../types/action-run.ts';
import { isUserError, UserError } from '../../types/errors.ts';
import { readArtifactZip } from './artifact-zip.ts';
import { receivePublication } from './receive-publication.ts';

/** What an artifact of the measuring run came to: a publication of the commit that run is about, or why it was refused. */
export type Delivery = { readonly publication: Publication } | { readonly refusal: UserError };

/** Bytes of a whole artifact; raw data and pages, which nobody reads here, are most of it. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Matrices of one run whose reports are published. */
const MOST_ARTIFACTS = 10;
/** Errors that are the artifact's fault. Any other means that GitHub could not be asked. */
const REFUSALS = ['bad-artifact', 'artifact-version', 'artifact-too-large', 'artifact-expired'];

/**
 * Returns what the measuring run left for us, in the order of the artifacts' names: the artifact of that name, and those whose
 * name begins with it and a hyphen (one for each matrix). Empty when there are none. Each is read as hostile: its shape is
 * checked, it must be about the commit of the trusted event, and no two may claim the same comment key.
 *
 * @throws UserError when GitHub does not answer (`missing-permission`, `github-unreachable`, …).
 */
export async function fetchPublications(
	github: GitHub,
	repository: Repository,
	measured: MeasuredRun,
	artifactName: string,
): Promise<readonly Delivery[]> {
	const all = await listArtifacts(github, repository, measured.run.id);
	const ours = all.filter(({ name }) => name === artifactName || name.startsWith(`${artifactName}-`));
	if (ours.length > MOST_ARTIFACTS) return [{ refusal: tooMany() }];
	const deliveries: Delivery[] = [];
	for (const artifact of ours.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
		const read = await fetchPublication(github, repository, measured, artifact);
		deliveries.push(isKeyTaken(read, deliveries) ? { refusal: sharedKey() } : read);
	}
	return deliveries;
}

async function fetchPublication(
	github: GitHub,
	repository: Repository,
	{ headSha }: MeasuredRun,
	{ id, sizeBytes, expired }: RunArtifact,
): Promise<Delivery> {
	try {
		if (expired) throw tooOld();
		if (sizeBytes > MOST_BYTES) throw tooLarge();
		const bytes = await downloadArtifact(github, repository, id, MOST_BYTES);
		const publication = receivePublication((await readArtifactZip(bytes)).publication);
		if (publication.headSha !== headSha) {
			throw badArtifact(`${PUBLICATION_FILE}: /headSha`, 'it is about another commit than the run that left it');
		}
		return { publication };
	} catch (error) {
		if (isUserError(error) && REFUSALS.includes(error.code)) return { refusal: error };
		throw error;
	}
}

function isKeyTaken(read: Delivery, earlier: readonly Delivery[]): boolean {
	if (!('publication' in read)) return false;
	const { commentKey } = read.publication;
	return earlier.some((other) => 'publication' in other && other.publication.commentKey === commentKey);
}

function sharedKey(): UserError {
	return new UserError({
		code: 'bad-artifact',
		where: `${PUBLICATION_FILE}: /commentKey`,
		message: 'two artifacts of the measuring run have the same comment-key, so they claim the same comment',
		remedy: 'give each job of the measuring workflow its own comment-key',
	});
}

function tooMany(): UserError {
	return new UserError({
		code: 'bad-artifact',
		where: 'the measuring run',
		message: `it uploaded more than ${MOST_ARTIFACTS} artifacts of benchgate`,
		remedy: 'measure in fewer jobs, or check what that run uploaded',
	});
}

function tooOld(): UserError {
	return new UserError({
		code: 'artifact-expired',
		message: 'the artifact of the measuring run has expired',
		remedy: 'run the measuring workflow again',
	});
}

function tooLarge(): UserError {
	return new UserError({
		code: 'artifact-too-large',
		message: `the artifact of the measuring run has more than ${MOST_BYTES} bytes`,
		remedy: 'check what that run uploaded; nothing of it was read',
	});
}
