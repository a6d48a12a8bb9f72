import { EVERY_CELL, WHAT_FORM } from '../../text/accepted-words.ts';
import type { Acceptance, AcceptedRows } from '../../types/verdict.ts';
import type { GitHub } from '../github-client.ts';
import {
	type AcceptanceLine,
	holdsFor,
	mayAccept,
	REASON_LIMIT,
	type ReadLine,
	readAcceptanceLines,
} from './acceptance-line.ts';
import type { AcceptancePlace, FoundAcceptances, PullState } from './acceptance-place.ts';
import { ignored, nameOf, refusalOf } from './accepting-person.ts';

/** A text of a pull request that may hold such lines. */
interface Said {
	readonly by: string | null;
	readonly viaApp: boolean;
	readonly via: 'body' | 'comment';
	readonly text: string;
}

/** People whose access is asked for; whoever spoke last comes first. */
const MOST_PEOPLE = 20;
/** Texts of somebody without access that are read to tell them; they may be made to be slow. */
const MOST_REFUSED = 3;
const PLACES = { body: 'The line in the description', comment: 'The line in a comment' } as const;

/**
 * Returns what people with write access accept by lines in the description, which are its author's, and in comments: one
 * acceptance a person, whoever spoke last first. Throws failed calls.
 */
export async function findInLines(
	github: GitHub,
	place: AcceptancePlace,
	{ body, author }: Pick<PullState, 'body' | 'author'>,
): Promise<FoundAcceptances> {
	const comments = await listComments(github, place);
	// Whoever else can edit the description has write access too.
	const description: Said = { by: author, viaApp: false, via: 'body', text: body };
	const said = [...comments.toReversed(), description].filter(({ text }) => mayAccept(text));
	const people = [...Map.groupBy(said, ({ by, viaApp }) => `${viaApp} ${by}`).values()].slice(0, MOST_PEOPLE);
	const found: FoundAcceptances[] = [];
	for (const own of people) found.push(await findOfPerson(github, place, own));
	return {
		acceptances: found.flatMap(({ acceptances }) => acceptances),
		warnings: found.flatMap(({ warnings }) => warnings),
	};
}

async function listComments(github: GitHub, { repository, number }: AcceptancePlace): Promise<readonly Said[]> {
	const request = { ...repository, issue_number: number, per_page: 100 };
	const comments = await github.paginate(github.rest.issues.listComments, request);
	return comments.map(({ body, user, performed_via_github_app: app }) => {
		return { by: user?.login ?? null, viaApp: Boolean(app), via: 'comment', text: body ?? '' };
	});
}

/** `own`: what one person said, newest first. */
async function findOfPerson(
	github: GitHub,
	{ repository, headSha }: AcceptancePlace,
	own: readonly Said[],
): Promise<FoundAcceptances> {
	const { by, viaApp } = own[0] as Said;
	const refusal = await refusalOf(github, repository, by, viaApp);
	if (by === null || refusal) {
		const told = own.slice(0, MOST_REFUSED).find(({ text }) => readAcceptanceLines(text).length > 0);
		const warnings = told ? [ignored(`${PLACES[told.via]}, by ${nameOf(by)}, ${refusal}`)] : [];
		return { acceptances: [], warnings };
	}
	const read = own.flatMap(({ via, text }) => readAcceptanceLines(text).map((line) => ({ via, line })));
	const warnings = read.flatMap(({ via, line }) => {
		const why = whyNot(line, headSha);
		return why === null ? [] : [ignored(`${PLACES[via]}, by ${nameOf(by)}, does not count: ${why}`)];
	});
	const good = read.flatMap(({ via, line }) => (isGood(line, headSha) ? [{ via, line }] : []));
	return { acceptances: good.length === 0 ? [] : [acceptanceOf(by, headSha, good)], warnings };
}

function acceptanceOf(
	by: string,
	headSha: string,
	good: readonly { readonly via: Said['via']; readonly line: AcceptanceLine }[],
): Acceptance {
	const named = good.flatMap(({ line }): AcceptedRows[] => (line.rows ? [line.rows] : []));
	const everything = named.length < good.length;
	return {
		by,
		via: good.some(({ via }) => via === 'comment') ? 'comment' : 'body',
		reason: [...new Set(good.map(({ line }) => line.reason))].join('; '),
		headSha,
		...(!everything && { rows: named }),
	};
}

function isGood(line: ReadLine, headSha: string): line is AcceptanceLine {
	return 'reason' in line && holdsFor(line, headSha);
}

/** Null for a line that counts. */
function whyNot(line: ReadLine, headSha: string): string | null {
	if (!('problem' in line)) {
		return holdsFor(line, headSha)
			? null
			: `it is for commit ${line.commit?.slice(0, 10)}, and head is another one now.`;
	}
	const instead = `benchgate: accepted ${headSha} REASON`;
	switch (line.problem) {
		case 'no-reason':
			return 'it gives no reason. Write why at the end of the line.';
		case 'too-long':
			return `its reason is longer than ${REASON_LIMIT} characters.`;
		case 'short-commit':
			return `it gives too few digits of the commit. To accept all that is red now, write "${instead}".`;
		case 'no-commit':
			return `it must name the commit, because it sets no limit. To accept all that is red now, write "${instead}".`;
		case 'no-kind':
			return `it begins like a row or a size, and is not written as one. Write server/scenario or ${EVERY_CELL}, then ${WHAT_FORM}.`;
	}
}
