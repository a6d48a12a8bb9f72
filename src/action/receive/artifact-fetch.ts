import { readExplanation } from '../../formats/explanation-file.ts';
import type { GitHub } from '../../github/github-client.ts';
import { downloadArtifact, listArtifacts, type RunArtifact } from '../../github/run-artifacts.ts';
import type { MeasuredRun, Repository } from '../../types/action-run.ts';
import { isUserError, UserError } from '../../types/errors.ts';
import { PUBLICATION_FILE } from '../../types/shared-names.ts';
import { explanationName, isExplanationName } from '../publish/artifact-store.ts';
import { concludeShards } from '../shards/conclude-shards.ts';
import { type Budget, EXPLANATION_FILE, openBudget, RUN_LIMITS } from './artifact-budget.ts';
import { readArtifactZip, readPublicationZip, readZipTexts } from './artifact-zip.ts';
import {
	type OtherAttempt,
	type Received,
	receiveArtifact,
	receiveEnd,
	receivePublication,
} from './receive-artifact.ts';
import { type PartArtifact, partOf, receiveShards } from './receive-shards.ts';

export type Delivery = Received | OtherAttempt | { readonly refusal: UserError };

export interface Wanted {
	/** Also matches names that continue with a hyphen (matrix jobs). */
	readonly artifactName: string;
	/** Allowed comment keys, each with the key of its report. */
	readonly keys: ReadonlyMap<string, string>;
}

/** Limit per artifact. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Faults of the artifact, not of GitHub. */
const REFUSALS = ['bad-artifact', 'artifact-version', 'artifact-too-large', 'artifact-expired'];

/**
 * Returns the run's artifacts with this name, read as hostile: shape, run, attempt and commit must match the trusted
 * event, and comment keys must differ. RUN_LIMITS apply to all together.
 *
 * @throws UserError when GitHub fails (`missing-permission`, `github-unreachable`, …).
 */
export async function fetchDeliveries(
	github: GitHub,
	repository: Repository,
	measured: MeasuredRun,
	wanted: Wanted,
): Promise<readonly Delivery[]> {
	const { artifactName } = wanted;
	const all = await listArtifacts(github, repository, measured.run.id);
	const named = all.filter(({ name }) => name === artifactName || name.startsWith(`${artifactName}-`));
	const parts = named.flatMap((artifact) => partOf(artifact) ?? []);
	const ours = named.filter((artifact) => partOf(artifact) === null && !isExplanationName(artifact.name));
	if (ours.length > RUN_LIMITS.artifacts) return [{ refusal: tooMany(RUN_LIMITS.artifacts, 'artifacts') }];
	if (parts.length > RUN_LIMITS.parts) return [{ refusal: tooMany(RUN_LIMITS.parts, 'parts of artifacts') }];
	const budget = openBudget();
	const deliveries: Delivery[] = [];
	const download = ({ id }: RunArtifact) => downloadArtifact(github, repository, id, MOST_BYTES);
	const inOrder = ours.toSorted((a, b) => (a.name < b.name ? -1 : 1));
	for (const artifact of inOrder) {
		const artifactParts = parts.filter(({ name }) => name.prefix === artifact.name);
		const read = await fetchDelivery(artifact, measured, wanted.keys, { budget, download, parts: artifactParts });
		deliveries.push(isKeyTaken(read, deliveries) ? { refusal: sharedKey() } : read);
	}
	return withExplanations(deliveries, inOrder, named, measured, download);
}

type Download = (artifact: RunArtifact) => Promise<Uint8Array>;

/** Read last and with a budget of their own, so they cannot keep a verdict from being read. */
async function withExplanations(
	deliveries: readonly Delivery[],
	artifacts: readonly RunArtifact[],
	named: readonly RunArtifact[],
	measured: MeasuredRun,
	download: Download,
): Promise<readonly Delivery[]> {
	const budget = openBudget();
	const explained: Delivery[] = [];
	for (const [at, delivery] of deliveries.entries()) {
		const wanted = explanationName(artifacts[at]?.name ?? '', measured.run.attempt);
		const found = named.find((one) => one.name === wanted && !isEarlier(one.createdAt, measured));
		if (found === undefined || !('publication' in delivery)) explained.push(delivery);
		else explained.push({ ...delivery, explained: await fetchExplanation(found, opening(budget, download), budget) });
	}
	return explained;
}

async function fetchExplanation(
	artifact: RunArtifact,
	open: Download,
	budget: Budget,
): Promise<NonNullable<Received['explained']>> {
	try {
		const texts = await readZipTexts(await open(artifact), [EXPLANATION_FILE], budget);
		const text = texts.get(EXPLANATION_FILE);
		return text === undefined ? { why: 'it is missing' } : readExplanation(text);
	} catch (error) {
		if (isUserError(error)) return { why: error.message };
		throw error;
	}
}

function opening(budget: Budget, download: Download): Download {
	return async (one) => {
		if (one.expired) throw tooOld();
		if (one.sizeBytes > MOST_BYTES) throw tooLarge();
		budget.take('packedBytes', one.sizeBytes);
		return download(one);
	};
}

interface Reading {
	readonly budget: Budget;
	readonly download: Download;
	/** Plans and shards; empty for a run on one machine. */
	readonly parts: readonly PartArtifact[];
}

async function fetchDelivery(
	artifact: RunArtifact,
	measured: MeasuredRun,
	keys: Wanted['keys'],
	{ budget, download, parts }: Reading,
): Promise<Delivery> {
	const open = opening(budget, download);
	const taken = [...keys.keys()];
	try {
		if (!artifact.expired && isEarlier(artifact.createdAt, measured)) return { attempt: measured.run.attempt - 1 };
		const zip = await open(artifact);
		if (parts.length === 0)
			return withKey(receiveArtifact(await readArtifactZip(zip, budget), measured, taken, budget), keys);
		const publication = receivePublication(await readPublicationZip(zip, budget), measured, taken);
		if ('attempt' in publication) return publication;
		if (publication.conclusion.kind !== 'compared') return withKey({ publication, raw: null }, keys);
		const shards = await receiveShards(parts, measured, async (one, names) =>
			readZipTexts(await open(one), names, budget),
		);
		return withKey(receiveEnd(publication, concludeShards(shards), budget), keys);
	} catch (error) {
		if (isUserError(error) && REFUSALS.includes(error.code)) return { refusal: error };
		throw error;
	}
}

function withKey(read: Received | OtherAttempt, keys: Wanted['keys']): Received | OtherAttempt {
	if (!('publication' in read)) return read;
	const { publication } = read;
	const commentKey = keys.get(publication.commentKey) ?? publication.commentKey;
	return { ...read, publication: { ...publication, commentKey } };
}

/** Uses GitHub's creation time, because an artifact could lie. */
function isEarlier(createdAt: string | null, { run, startedAt }: MeasuredRun): boolean {
	if (run.attempt === 1 || createdAt === null || startedAt === null) return false;
	return Date.parse(createdAt) < Date.parse(startedAt);
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

function tooMany(most: number, what: string): UserError {
	return new UserError({
		code: 'bad-artifact',
		where: 'the measuring run',
		message: `it uploaded more than ${most} ${what} of benchgate`,
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
