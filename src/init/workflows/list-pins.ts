import { execa } from 'execa';
import { nameAll } from '../../text/phrase.ts';
import type { Finding } from '../../types/finding.ts';
import { noteOn } from './check-call.ts';
import type { WorkflowText } from './read-workflows.ts';

const USE = /^[^#]*\buses:\s*['"]?([\w.-]+\/[\w.-]+)((?:\/[\w./-]+)?)@([\w./-]+)/;
const WHOLE_COMMIT = /^[0-9a-f]{40}$/;
const COMMIT = /^[0-9a-f]{7,40}$/;
const ANSWER_MS = 5_000;
const MOST_NAMED = 4;

interface Use {
	readonly repository: string;
	readonly ref: string;
	readonly place: string;
}

/** Returns a note on each tag or branch in use, with its commit if `server` answers within five seconds. */
export async function listPins(workflows: readonly WorkflowText[], server: string): Promise<readonly Finding[]> {
	const uses = Map.groupBy(workflows.flatMap(findUses), ({ repository, ref }) => `${repository}@${ref}`);
	return Promise.all(
		[...uses.values()].map(async ([first, ...others]) => {
			const { repository, ref } = first as Use;
			const places = [first as Use, ...others].map(({ place }) => place);
			const address = `${server}/${repository}`;
			const commit = await findCommit(address, ref);
			const text = `${nameAll(places, MOST_NAMED)} ${places.length === 1 ? 'uses' : 'use'} ${repository}@${ref}, which can come to name another commit`;
			const remedy =
				commit === null
					? `replace @${ref} by @ and the commit that this command prints: git ls-remote ${address} ${ref}`
					: `pin it: @${commit} # ${ref}`;
			return noteOn('workflows', text, remedy);
		}),
	);
}

function findUses({ file, text }: WorkflowText): readonly Use[] {
	return text.split('\n').flatMap((line, at): readonly Use[] => {
		const [, repository = '', , ref = ''] = USE.exec(line) ?? [];
		if (!/^\w/.test(repository) || COMMIT.test(ref)) return [];
		return [{ repository, ref, place: `${file}:${at + 1}` }];
	});
}

async function findCommit(address: string, ref: string): Promise<string | null> {
	const names = [`refs/tags/${ref}^{}`, `refs/tags/${ref}`, `refs/heads/${ref}`];
	const listed = await execa('git', ['-c', 'credential.helper=', 'ls-remote', address, ...names], {
		reject: false,
		stdin: 'ignore',
		timeout: ANSWER_MS,
		env: { GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: 'true' },
	});
	if (listed.failed) return null;
	const commits = new Map(listed.stdout.split('\n').map((line) => line.split('\t').reverse() as [string, string]));
	const commit = names.map((name) => commits.get(name)).find((one) => one !== undefined);
	return commit !== undefined && WHOLE_COMMIT.test(commit) ? commit : null;
}
