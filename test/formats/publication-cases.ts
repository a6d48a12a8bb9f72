import type { CommentContext } from '../../src/report/github/comment-context.ts';
import type { Conclusion, Publication } from '../../src/types/action-run.ts';
import { RESULT_CASES, resultCase } from '../support/result-cases.ts';

export const HEAD = 'a'.repeat(40);

const FAILED: Conclusion = {
	kind: 'failed',
	failure: {
		code: 'build-failed',
		side: 'head',
		message: 'npm run build failed',
		where: 'head (topic@9f8e7d6)',
		remedy: 'mend the build',
		details: 'line 1\nline 2 ```` </details>',
		usage: false,
	},
};

/** Returns a publication of the conclusion as the measuring job writes it. */
export function publicationOf(conclusion: Conclusion, changes: Partial<Publication> = {}): Publication {
	return {
		schemaVersion: 1,
		kind: 'benchgate-publication',
		run: { id: 70, attempt: 1 },
		headSha: HEAD,
		commentKey: 'default',
		gate: 'enforce',
		onInconclusive: 'pass',
		conclusion,
		warnings: [{ code: 'busy-machine', message: 'Other processes were at work.' }],
		...changes,
	};
}

/** A publication of every result case and of every other kind of conclusion, by name. */
export const PUBLICATIONS: ReadonlyMap<string, Publication> = new Map([
	...Object.keys(RESULT_CASES).map(
		(name) => [name, publicationOf({ kind: 'compared', result: resultCase(name) })] as const,
	),
	['nothing-relevant', publicationOf({ kind: 'unchanged', base: { label: 'main@1' }, head: { label: 'topic@2' } })],
	['failed', publicationOf(FAILED)],
	['cancelled', publicationOf({ kind: 'cancelled' })],
]);

/** Returns the publication of that name. */
export function publicationCase(name: string): Publication {
	const publication = PUBLICATIONS.get(name);
	if (!publication) throw new Error(`There is no publication ${name}.`);
	return publication;
}

/** The rest of a report around these publications. */
export const CONTEXT: CommentContext = {
	headSha: HEAD,
	runUrl: 'https://github.example/o/r/actions/runs/7',
	serverUrl: 'https://github.example',
	repository: { owner: 'o', repo: 'r' },
	gate: 'enforce',
	onInconclusive: 'pass',
	acceptLabel: 'benchgate: accepted',
	title: 'pull request #1',
	warnings: [],
};
