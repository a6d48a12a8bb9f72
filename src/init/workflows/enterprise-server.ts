/** Finds GitHub Enterprise Server, which takes no artifacts from @actions/artifact. */
import { nameAll } from '../../text/phrase.ts';
import type { Finding } from '../../types/finding.ts';
import { noteOn } from './check-call.ts';
import { rolesOf, type WorkflowCall } from './workflow-calls.ts';

/** `https://host/o/r.git`, `ssh://git@host:22/o/r`, `git@host:o/r`. */
const ADDRESS = /^(?:[a-z+]+:\/\/(?:[^@/]*@)?|(?:[^@/:]+@))([a-z0-9.-]+)(?=[:/]|$)/i;
const GITHUB = /^(?:(?:ssh\.|www\.)?github\.com(?:-[\w.-]+)?|.+\.ghe\.com|(?:.+\.)?localhost)$/i;
const OTHERS = /(?:^|\.)(?:gitlab|bitbucket|codeberg|gitea|sr)\b/i;

const MOST_NAMED = 3;

export const ONE_JOB =
	'use one workflow whose job measures, comments and writes the check, for pull requests of people with write access (docs/action.md#one-workflow)';

/** Returns the host of an address if it may be such a server, else null. */
export function findEnterpriseHost(address: string): string | null {
	const [, host = ''] = ADDRESS.exec(address) ?? [];
	return !host.includes('.') || GITHUB.test(host) || OTHERS.test(host) ? null : host;
}

export function noteEnterprise(calls: readonly WorkflowCall[], origin: string | null): readonly Finding[] {
	const host = origin === null ? null : findEnterpriseHost(origin);
	const apart = calls.filter((call) => call.reusable !== null || rolesOf(call).includes('report'));
	if (host === null || apart.length === 0) return [];
	const files = nameAll(
		apart.map(({ file }) => file),
		MOST_NAMED,
	);
	const text = `the remote origin is on ${host}. If that is GitHub Enterprise Server, ${files} cannot work: it takes no artifacts from benchgate, and does not run its reusable workflows`;
	return [noteOn('workflows', text, `there, ${ONE_JOB}`)];
}
