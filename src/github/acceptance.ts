import { plainText } from '../text/escape.ts';
import type { Repository } from '../types/action-run.ts';
import type { Warning } from '../types/units.ts';
import type { Acceptance } from '../types/verdict.ts';
import { parseAcceptance, REASON_LIMIT } from './acceptance-line.ts';
import { warningOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';
import { hasWriteAccess } from './permissions.ts';

export interface FoundAcceptance {
	readonly acceptance: Acceptance | null;
	/** Acceptances that do not count: who, and why. */
	readonly warnings: readonly Warning[];
}

type Finding = { readonly acceptance: Acceptance } | { readonly warning: Warning } | null;

const LOGIN_LIMIT = 60;

/**
 * Returns who with write access accepts a regression of the pull request as it is now: its author by a line in its body, or
 * whoever put the label on it last. The line comes first, because it has a reason. A failed call is a warning.
 */
export async function findAcceptance(
	github: GitHub,
	repository: Repository,
	pullRequestNumber: number,
	label: string,
): Promise<FoundAcceptance> {
	const warnings: Warning[] = [];
	try {
		const { data } = await github.rest.pulls.get({ ...repository, pull_number: pullRequestNumber });
		const labels = data.labels.map(({ name }) => name);
		for (const find of [
			() => findInBody(github, repository, data.body ?? '', data.user?.login ?? null),
			() =>
				labels.some((name) => isSameLabel(name, label))
					? findLabel(github, repository, pullRequestNumber, label)
					: null,
		]) {
			const finding = await find();
			if (finding && 'acceptance' in finding) return { acceptance: finding.acceptance, warnings };
			if (finding) warnings.push(finding.warning);
		}
	} catch (error) {
		const what = `see whether somebody accepted the regression on #${pullRequestNumber}`;
		warnings.push(warningOf(error, { what, needs: { 'pull-requests': 'read' } }));
	}
	return { acceptance: null, warnings };
}

/** The author's access decides: whoever else can edit the body has write access too. */
async function findInBody(
	github: GitHub,
	repository: Repository,
	body: string,
	author: string | null,
): Promise<Finding> {
	const line = parseAcceptance(body);
	if (!line) return null;
	if ('problem' in line) return ignored(problemOf(line.problem));
	const refusal = await refusalOf(github, repository, author);
	if (author === null || refusal) return ignored(`The line in the description, by ${nameOf(author)}, ${refusal}`);
	return { acceptance: { by: author, via: 'body', reason: line.reason } };
}

async function findLabel(
	github: GitHub,
	repository: Repository,
	pullRequestNumber: number,
	label: string,
): Promise<Finding> {
	const person = await findLabeller(github, repository, pullRequestNumber, label);
	const refusal = await refusalOf(github, repository, person);
	if (person === null || refusal) return ignored(`The label, put on by ${nameOf(person)}, ${refusal}`);
	return { acceptance: { by: person, via: 'label', reason: null } };
}

/** Who put the label on last, over all pages of events; null when GitHub does not tell. */
async function findLabeller(
	github: GitHub,
	repository: Repository,
	pullRequestNumber: number,
	label: string,
): Promise<string | null> {
	let last: { readonly id: number; readonly login: string | null } | null = null;
	const pages = github.paginate.iterator(github.rest.issues.listEvents, {
		...repository,
		issue_number: pullRequestNumber,
		per_page: 100,
	});
	for await (const { data } of pages) {
		for (const event of data) {
			if (event.event !== 'labeled' || !('label' in event) || !isSameLabel(event.label?.name ?? '', label)) continue;
			if (last === null || event.id > last.id) last = { id: event.id, login: event.actor?.login ?? null };
		}
	}
	return last?.login ?? null;
}

/** Null when the person's word counts; otherwise the rest of a sentence that begins with what they did. */
async function refusalOf(github: GitHub, repository: Repository, login: string | null): Promise<string | null> {
	if (login === null) return 'does not count: who it was cannot be seen any more.';
	const access = await hasWriteAccess(github, repository, login);
	if (access === true) return null;
	if (access === 'unknown') return 'does not count: GitHub does not tell whether they have write access.';
	if (login.endsWith('[bot]')) return 'does not count: an app cannot accept, only people with write access can.';
	return 'does not count: they have no write access to this repository.';
}

function problemOf(problem: 'no-reason' | 'too-long'): string {
	return problem === 'no-reason'
		? 'The line in the description does not count: it gives no reason. Write "benchgate: accepted" and why.'
		: `The line in the description does not count: its reason is longer than ${REASON_LIMIT} characters.`;
}

function ignored(sentence: string): { warning: Warning } {
	return { warning: { code: 'acceptance-ignored', message: `The regression is not accepted. ${sentence}` } };
}

function nameOf(login: string | null): string {
	return login === null ? 'somebody' : plainText(login, LOGIN_LIMIT);
}

/** GitHub's labels differ in case only by spelling. */
function isSameLabel(a: string, b: string): boolean {
	return a.toLowerCase() === b.toLowerCase();
}
