import type { RunIdentity } from '../types/action-run.ts';
import { UserError } from '../types/errors.ts';
import { COMMENT_KEY, FULL_HASH } from '../types/shared-names.ts';

/** The hidden first line of our comment. */
export interface CommentMarker {
	/** Distinguishes comments of one pull request. */
	readonly key: string;
	readonly run: Pick<RunIdentity, 'id' | 'attempt'>;
	readonly headSha: string;
	readonly state: 'measuring' | 'final';
}

const KEY = new RegExp(`^${COMMENT_KEY}$`);
const MARKER = new RegExp(
	[
		`^<!-- benchgate:(?<key>${COMMENT_KEY})`,
		String.raw`run=(?<id>[1-9]\d{0,15})`,
		String.raw`attempt=(?<attempt>[1-9]\d{0,15})`,
		`sha=(?<headSha>${FULL_HASH})`,
		String.raw`state=(?<state>measuring|final) -->(?=\r?\n|$)`,
	].join(' '),
);

/** Allows 1 to 64 letters, digits, dots, underscores and hyphens. */
export function isCommentKey(key: string): boolean {
	return KEY.test(key);
}

/** Writes one line of HTML comment, for `parseMarker`. Throws UserError for an invalid key. */
export function formatMarker(marker: CommentMarker): string {
	const { key, run, headSha, state } = marker;
	if (!isCommentKey(key)) throw badKey(key);
	const line = `<!-- benchgate:${key} run=${run.id} attempt=${run.attempt} sha=${headSha} state=${state} -->`;
	if (parseMarker(line) === null) throw new Error(`not a marker: ${JSON.stringify(marker)}`);
	return line;
}

export function parseMarker(body: string): CommentMarker | null {
	const groups = MARKER.exec(body)?.groups;
	if (!groups) return null;
	const { key = '', headSha = '' } = groups;
	const run = { id: Number(groups.id), attempt: Number(groups.attempt) };
	if (!Number.isSafeInteger(run.id) || !Number.isSafeInteger(run.attempt)) return null;
	return { key, run, headSha, state: groups.state === 'final' ? 'final' : 'measuring' };
}

/** Returns a negative number if `a` is older, 0 for the same attempt. */
export function compareRuns(a: CommentMarker['run'], b: CommentMarker['run']): number {
	return a.id - b.id || a.attempt - b.attempt;
}

function badKey(key: string): UserError {
	return new UserError({
		code: 'bad-comment-key',
		message: `the comment key ${JSON.stringify(key)} cannot be used`,
		where: 'comment-key',
		remedy: 'Use 1 to 64 letters, digits, dots, underscores and hyphens.',
	});
}
