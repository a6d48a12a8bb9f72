import { rowAddress } from '../../text/dashboard-address.ts';
import { isSafeUrl, NAME_LIMIT, plainText } from '../../text/escape.ts';
import type { CodePosition, Phrase, Piece } from '../../text/phrase.ts';
import type { CellResult, Result, RevisionInfo } from '../../types/result.ts';
import type { Audience } from './audience.ts';

const NOTES = 'https://github.com/benchgate/benchgate/blob/v0/docs/report.md#notes';
const NOTE_CODE = /^[a-z]+(?:-[a-z0-9]+)*$/;
const SHA = /^[0-9a-f]{40,64}$/;

/** Returns `base → head`, with a link to their differences if known. */
export function describeSides({ base, head }: Pick<Result, 'base' | 'head'>, { repositoryUrl }: Audience): Phrase {
	const to = compareUrl(base, head, repositoryUrl);
	const [from, target] = [base, head].map(({ label }) => plainText(label, NAME_LIMIT));
	return [{ code: `${from} → ${target}`, to }];
}

function compareUrl(
	{ sha: from = '' }: RevisionInfo,
	{ sha = '' }: RevisionInfo,
	repositoryUrl = '',
): string | undefined {
	const url = `${repositoryUrl}/compare/${from}...${sha}`;
	return SHA.test(from) && SHA.test(sha) && from !== sha && isSafeUrl(url) ? url : undefined;
}

export function rowUrl(row: Pick<CellResult, 'server' | 'scenario' | 'metric'>, dashboard = ''): string | undefined {
	const url = `${dashboard.replace(/\/*$/, '/')}${rowAddress(row)}`;
	return dashboard !== '' && isSafeUrl(url) ? url : undefined;
}

/** Returns a note's code with a link to its explanation. */
export function noteCode(code: string): Piece {
	return { code, to: NOTE_CODE.test(code) && code.length <= NAME_LIMIT ? NOTES : undefined };
}

/** Returns the address of a line that head changes. */
export function codeUrl(
	code: CodePosition,
	{ placeOf, repositoryUrl = '', headSha = '' }: Audience,
): string | undefined {
	const place = placeOf?.(code);
	if (!place || !SHA.test(headSha)) return undefined;
	const path = place.path.split('/').map(encodeURIComponent).join('/');
	const url = `${repositoryUrl}/blob/${headSha}/${path}#L${place.line}`;
	return isSafeUrl(url) ? url : undefined;
}
