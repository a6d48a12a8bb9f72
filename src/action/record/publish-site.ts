import { mkdir } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { writeOutput } from '../../output/write-files.ts';
import { TOOL_ROOT } from '../../process/entries.ts';
import { type SiteFile, siteFiles } from '../../site/site-files.ts';
import { isBranchName } from '../../store/open-store.ts';
import { replaceBranch } from '../../store/replace-branch.ts';
import type { StoredBaselines } from '../../store/store.ts';
import type { Remote } from '../../store/store-git.ts';
import { MESSAGE_LIMIT, plainText } from '../../text/escape.ts';
import { trendOf } from '../../trend/trend-of.ts';
import type { RunnerContext } from '../../types/action-run.ts';
import type { Warning } from '../../types/units.ts';
import { readSiteAssets } from '../../version.ts';

export type SitePlace =
	| { readonly kind: 'branch'; readonly branch: string }
	| { readonly kind: 'folder'; readonly folder: string }
	| { readonly kind: 'none' };

/** Parses `branch:NAME`, `dir:PATH` or `none`. */
export function readSitePlace(text: string): SitePlace | null {
	if (text === 'none') return { kind: 'none' };
	const [, kind, target = ''] = /^(branch|dir):(.+)$/s.exec(text) ?? [];
	if (kind === 'dir') return { kind: 'folder', folder: target };
	return kind === 'branch' && isBranchName(target) ? { kind: 'branch', branch: target } : null;
}

export interface SiteRequest {
	readonly place: SitePlace;
	readonly runner: Pick<RunnerContext, 'repository' | 'serverUrl' | 'workspace'>;
	readonly remote: Remote;
	readonly author: { readonly name: string; readonly email: string };
	readonly stored: StoredBaselines;
	readonly read: () => Promise<StoredBaselines>;
	readonly warn: (warning: Warning) => void;
}

export interface PublishedSite {
	/** Null when published on a branch. */
	readonly folder: string | null;
	readonly line: string;
}

const MESSAGE =
	'Publish the dashboard of baselines\n\nMade anew from the stored baselines after each run; it has no history.\n';
/** If a branch lacks these files, it is not ours. */
const OURS = ['site.js', 'badge.svg'];
/** GitHub stores a custom domain in this file. */
const KEPT = ['CNAME'];

/** Returns null if the dashboard is off, or after a warning. */
export async function publishSite(request: SiteRequest): Promise<PublishedSite | null> {
	const { place, runner } = request;
	switch (place.kind) {
		case 'none':
			return null;
		case 'folder': {
			const folder = isAbsolute(place.folder) ? place.folder : join(runner.workspace, place.folder);
			await writeSite(folder, await filesOf(request, request.stored));
			return { folder, line: `The dashboard is in the folder \`${plainText(place.folder, MESSAGE_LIMIT)}\`.` };
		}
		case 'branch':
			return publishOnBranch(request, place.branch);
	}
}

async function publishOnBranch(request: SiteRequest, branch: string): Promise<PublishedSite | null> {
	const { remote, author, read, warn, runner } = request;
	let { stored } = request;
	let isFirst = true;
	const done = await replaceBranch(remote, { branch, author, message: MESSAGE, ours: OURS, kept: KEPT }, async () => {
		// Before a retry, another run may have stored and published more.
		if (!isFirst) stored = await read();
		isFirst = false;
		return filesOf(request, stored);
	});
	if (done.kind === 'refused') {
		warn({
			code: 'site-unpublished',
			message: `The dashboard was not published on the branch ${branch}: ${plainText(done.why, MESSAGE_LIMIT)}. The baselines are stored. Name another branch with site, or use site: none.`,
		});
		return null;
	}
	return { folder: null, line: describeBranch(runner, branch) };
}

/** On servers other than github.com, the address of Pages is unknown. */
function describeBranch({ repository: { owner, repo }, serverUrl }: SiteRequest['runner'], branch: string): string {
	const page = `${serverUrl}/${owner}/${repo}/tree/${branch}`;
	if (serverUrl !== 'https://github.com') return `The dashboard is on the branch [${branch}](${page}).`;
	const name = repo.toLowerCase() === `${owner.toLowerCase()}.github.io` ? '' : `${repo}/`;
	return `[Dashboard](https://${owner.toLowerCase()}.github.io/${name}), from the branch [${branch}](${page}). If the link leads nowhere: Settings → Pages → Deploy from a branch → \`${branch}\`.`;
}

async function filesOf({ runner }: SiteRequest, { records, notes }: StoredBaselines): Promise<readonly SiteFile[]> {
	const { owner, repo } = runner.repository;
	const newest = records.map(({ createdAt }) => createdAt).sort();
	const info = {
		project: `${owner}/${repo}`,
		repository: `${runner.serverUrl}/${owner}/${repo}`,
		measuredAt: newest.at(-1) ?? null,
	};
	return siteFiles(trendOf(records, { notes }), info, readSiteAssets(TOOL_ROOT));
}

async function writeSite(folder: string, files: readonly SiteFile[]): Promise<void> {
	for (const { path, text } of files) {
		const target = join(folder, path);
		await mkdir(dirname(target), { recursive: true });
		await writeOutput({ flag: 'input site', path: target, content: text });
	}
}
