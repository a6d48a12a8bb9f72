import type { Repository } from '../types/action-run.ts';
import type { Warning } from '../types/units.ts';
import { warningOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';

const TITLE = 'Update the baselines of benchgate';
const BODY =
	'Measured on the default branch, one file for each run. None of it is code that runs; merge it when you like. Later runs add to it.';

/** Returns the page of the open pull request from `branch`, opened now when there is none; a warning when GitHub refuses. */
export async function openBaselinesPull(
	github: GitHub,
	repository: Repository,
	{ branch, base }: { readonly branch: string; readonly base: string },
): Promise<{ readonly url: string } | Warning> {
	try {
		const head = `${repository.owner}:${branch}`;
		const { data: open } = await github.rest.pulls.list({ ...repository, state: 'open', head, base, per_page: 1 });
		const [first] = open;
		if (first) return { url: first.html_url };
		const { data } = await github.rest.pulls.create({ ...repository, head: branch, base, title: TITLE, body: BODY });
		return { url: data.html_url };
	} catch (error) {
		return warningOf(error, {
			what: 'open the pull request with the baselines',
			needs: { 'pull-requests': 'write' },
		});
	}
}
