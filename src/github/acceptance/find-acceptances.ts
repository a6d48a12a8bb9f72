import type { Warning } from '../../types/units.ts';
import type { Acceptance } from '../../types/verdict.ts';
import { warningOf } from '../api-failure.ts';
import type { GitHub } from '../github-client.ts';
import type { AcceptancePlace, FoundAcceptances, PullState } from './acceptance-place.ts';
import { findLabel } from './accepting-label.ts';
import { findInLines } from './accepting-lines.ts';
import { ignored } from './accepting-person.ts';

/**
 * Returns what people with write access accept of a pull request's head commit: by lines in its description or in comments, and
 * by its label. Lines come first, because they have a reason. A failed call is a warning.
 */
export async function findAcceptances(github: GitHub, place: AcceptancePlace): Promise<FoundAcceptances> {
	const { repository, number, headSha } = place;
	const acceptances: Acceptance[] = [];
	const warnings: Warning[] = [];
	try {
		const { data } = await github.rest.pulls.get({ ...repository, pull_number: number });
		if (data.head.sha !== headSha) {
			const message = `It was not checked whether somebody accepted this, because #${number} has moved on to commit ${data.head.sha.slice(0, 10)}.`;
			return { acceptances, warnings: [ignored(message)] };
		}
		const pull: PullState = {
			body: data.body ?? '',
			author: data.user?.login ?? null,
			labels: data.labels.map(({ name }) => name),
			createdAt: data.created_at,
			headRef: data.head.ref,
			headRepository: data.head.repo?.full_name ?? null,
		};
		for (const find of [findInLines, findLabel]) {
			const found = await find(github, place, pull);
			acceptances.push(...found.acceptances);
			warnings.push(...found.warnings);
		}
	} catch (error) {
		const what = `see whether somebody accepted what is red on #${number}`;
		warnings.push(warningOf(error, { what, needs: { 'pull-requests': 'read' } }));
	}
	return { acceptances, warnings };
}
