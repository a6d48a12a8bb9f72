import type { Sides, Warning } from '../../types/units.ts';
import type { Session } from '../prepare-context.ts';
import { askGit } from '../revision/git.ts';
import type { Source } from '../revision/source.ts';
import type { Harness } from './harness.ts';

/**
 * Returns the warning `harness-differs` when head itself changes bench servers that it is not measured by: those of another
 * commit ran on both sides. What only the branch of the harness has changed since is no change of head's, and not said.
 */
export async function warnOfChange(
	session: Session,
	harness: Harness,
	{ base, head }: Sides<Source>,
): Promise<Warning[]> {
	const { from, info, folders } = harness;
	if (from.kind !== 'git' || base.kind !== 'git' || head.kind !== 'git' || head.sha === from.sha) return [];
	const changed: string[] = [];
	for (const { path } of folders) {
		const treeAt = (sha: string) =>
			askGit(session, from.repository, ['rev-parse', '--verify', '--quiet', `${sha}:${path}`]);
		const own = await treeAt(head.sha);
		if (own !== (await treeAt(from.sha)) && own !== (await treeAt(base.sha))) changed.push(path);
	}
	if (changed.length === 0) return [];
	const message = `Head changes bench servers (${changed.join(', ')}). Those of ${info.label} ran on both sides; the change takes effect once it is merged.`;
	return [{ code: 'harness-differs', message }];
}
