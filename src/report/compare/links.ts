import { isSafeUrl, NAME_LIMIT, plainText } from '../../text/escape.ts';
import type { Phrase, Piece } from '../../text/phrase.ts';
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

/** Returns a row's page on the dashboard, as in src/site/page/address.ts. */
export function rowUrl(
	{ server, scenario }: Pick<CellResult, 'server' | 'scenario'>,
	dashboard = '',
): string | undefined {
	const [row, cell] = [server, scenario].map((name) => encodeURIComponent(name.toWellFormed()));
	const url = `${dashboard.replace(/\/*$/, '/')}#/cell/${row}/${cell}`;
	return dashboard !== '' && isSafeUrl(url) ? url : undefined;
}

/** Returns a note's code with a link to its explanation. */
export function noteCode(code: string): Piece {
	return { code, to: NOTE_CODE.test(code) && code.length <= NAME_LIMIT ? NOTES : undefined };
}
