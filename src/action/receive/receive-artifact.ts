import type { readExplanation } from '../../formats/explanation-file.ts';
import { badArtifact, readPublication } from '../../formats/publication/publication-file.ts';
import { findContradiction } from '../../formats/raw/raw-contradiction.ts';
import { parseRaw } from '../../formats/raw/raw-file.ts';
import { countDecisions, findRawExcess } from '../../formats/raw/raw-limits.ts';
import type { MeasuredRun, Publication } from '../../types/action-run.ts';
import { isUserError, UserError } from '../../types/errors.ts';
import type { Raw } from '../../types/result.ts';
import { PUBLICATION_FILE } from '../../types/shared-names.ts';
import { isCommandKey, jobKeyOf } from '../request/bench-command.ts';
import type { ShardsEnd } from '../shards/conclude-shards.ts';
import { type Budget, RAW_FILE } from './artifact-budget.ts';
import type { ArtifactTexts } from './artifact-zip.ts';

export interface Received {
	readonly publication: Publication;
	readonly raw: Raw | null;
	/** Or why it was refused; absent if none. */
	readonly explained?: ReturnType<typeof readExplanation>;
}

/** The artifact is of another attempt, which has its own report. */
export interface OtherAttempt {
	readonly attempt: number;
}

/**
 * Parses an artifact, which must match `measured` and have an allowed key. Numbers and texts stay hostile; the raw data
 * are judged again.
 *
 * @throws UserError `bad-artifact`, `artifact-version`, `artifact-too-large`; messages quote only key and versions.
 */
export function receiveArtifact(
	texts: ArtifactTexts,
	measured: Pick<MeasuredRun, 'run' | 'headSha'>,
	keys: readonly string[],
	budget: Budget,
): Received | OtherAttempt {
	const publication = receivePublication(texts.publication, measured, keys);
	if ('attempt' in publication) return publication;
	if (publication.conclusion.kind !== 'compared') return { publication, raw: null };
	if (texts.raw === null) throw badArtifact('artifact', `there is no ${RAW_FILE} in it to judge`);
	return { publication, raw: receiveRaw(texts.raw, budget) };
}

/** Parses the publication, like `receiveArtifact`. If `keys` is null, any key is allowed. */
export function receivePublication(
	text: string,
	{ run, headSha }: Pick<MeasuredRun, 'run' | 'headSha'>,
	keys: readonly string[] | null,
): Publication | OtherAttempt {
	const publication = readPublication(text);
	const { run: writer, commentKey } = publication;
	if (writer === undefined) throw noRun();
	if (writer.id !== run.id) throw badArtifact(`${PUBLICATION_FILE}: /run/id`, 'it is about another run');
	if (writer.attempt !== run.attempt) return { attempt: writer.attempt };
	if (publication.headSha !== headSha) {
		throw badArtifact(`${PUBLICATION_FILE}: /headSha`, 'it is about another commit than the run that left it');
	}
	if (keys !== null && !keys.includes(commentKey)) throw foreignKey(commentKey, keys);
	return publication;
}

/** Replaces the conclusion with that of the shards. Throws like `receiveArtifact`. */
export function receiveEnd(publication: Publication, end: ShardsEnd, budget: Budget): Received {
	if ('conclusion' in end) return { publication: { ...publication, conclusion: end.conclusion }, raw: null };
	const excess = findRawExcess(end.raw);
	if (excess !== null) throw badArtifact('shards', excess);
	checkRaw(end.raw, budget);
	return { publication, raw: end.raw };
}

function receiveRaw(text: string, budget: Budget): Raw {
	const raw = parseHostile(text);
	checkRaw(raw, budget);
	if (isDivided(raw)) throw badArtifact(RAW_FILE, 'it lists shards, and the measuring run left none');
	return raw;
}

function checkRaw(raw: Raw, budget: Budget): void {
	budget.take('decisions', countDecisions(raw));
	const contradiction = findContradiction(raw);
	if (contradiction !== null) throw badArtifact(RAW_FILE, contradiction);
}

/**
 * An artifact must not set these fields: an invented shard would leave rows open, and with a larger family a red
 * verdict is less likely.
 */
function isDivided({ plan, shard, shards }: Raw): boolean {
	return plan.family !== undefined || shard !== undefined || shards !== undefined;
}

/** Parses raw data. Hides the parser's messages, because they quote the file. */
export function parseHostile(text: string): Raw {
	try {
		return parseRaw(text, RAW_FILE);
	} catch (error) {
		if (!isUserError(error)) throw error;
		if (error.code === 'raw-version') throw otherVersion();
		throw badArtifact(RAW_FILE, 'the raw data are not as benchgate writes them');
	}
}

function otherVersion(): UserError {
	return new UserError({
		code: 'artifact-version',
		where: RAW_FILE,
		message: 'the raw data in the artifact have another schema version than this benchgate reads',
		remedy: 'use one version of benchgate in the measuring and in the reporting workflow',
	});
}

function noRun(): UserError {
	return new UserError({
		code: 'artifact-version',
		where: `${PUBLICATION_FILE}: /run`,
		message: 'the artifact does not name its run and attempt: an older version of benchgate wrote it',
		remedy: 'update benchgate in both workflows, the measuring and the reporting one, to the same version',
	});
}

function foreignKey(key: string, keys: readonly string[]): UserError {
	if (isCommandKey(key) && !keys.some(isCommandKey)) return unasked(key);
	return new UserError({
		code: 'bad-artifact',
		where: `${PUBLICATION_FILE}: /commentKey`,
		message: `the artifact has the comment-key "${key}", and the reporting job takes only ${keys.join(', ')}`,
		remedy: `if a job of yours uses that key, add to the reporting job: comment-keys: ${isCommandKey(key) ? jobKeyOf(key) : key}`,
	});
}

function unasked(key: string): UserError {
	return new UserError({
		code: 'bad-artifact',
		where: `${PUBLICATION_FILE}: /commentKey`,
		message: `the artifact has the comment-key "${key}", which belongs to /benchgate comments, and no comment requested this attempt`,
		remedy: 'give the job that measured a comment-key that does not end in "command", or check what it uploaded',
	});
}
