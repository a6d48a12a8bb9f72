import type { Repository, RunIdentity } from '../types/action-run.ts';
import type { GitHub } from './github-client.ts';
import { ACTIONS_LOGIN } from './own-author.ts';

/** What the job that read a `/benchgate` comment asks of an attempt that it starts. */
export interface CommandOrder {
	/** The attempt that is to measure it. */
	readonly run: Pick<RunIdentity, 'id' | 'attempt'>;
	/** What the attempt before it came to: `success`, `failure`, … */
	readonly after: string;
	/** The command, on one line. */
	readonly command: string;
}

const ORDER = new RegExp(
	[
		/^<!-- benchgate-order run=(?<id>[1-9]\d{0,15})/,
		/attempt=(?<attempt>[1-9]\d{0,5})/,
		/after=(?<after>[a-z_]{1,64})/,
		/command="(?<command>\/benchgate[A-Za-z0-9 ._=%-]{0,4000})" -->(?=\r?\n|$)/,
	]
		.map(({ source }) => source)
		.join(' '),
);

/** Returns the order as one line of HTML comment, which `parseOrder` reads back. */
export function formatOrder({ run, after, command }: CommandOrder): string {
	const line = `<!-- benchgate-order run=${run.id} attempt=${run.attempt} after=${after} command="${command}" -->`;
	if (parseOrder(line) === null) throw new Error(`not an order: ${line}`);
	return line;
}

/** Returns the order in the first line of a comment; null when it is none. */
export function parseOrder(body: string): CommandOrder | null {
	const groups = ORDER.exec(body)?.groups;
	if (!groups) return null;
	const { id, attempt, after = '', command = '' } = groups;
	return { run: { id: Number(id), attempt: Number(attempt) }, after, command };
}

/**
 * Returns the order for exactly this attempt: the newest one, in a comment that a workflow of the repository wrote itself.
 * The job that wrote it had asked whether the commenter may; a token that only reads could not. Throws failed calls.
 */
export async function findOrder(
	github: GitHub,
	repository: Repository,
	issue: number,
	run: Pick<RunIdentity, 'id' | 'attempt'>,
): Promise<CommandOrder | null> {
	let newest: CommandOrder | null = null;
	const pages = github.paginate.iterator(github.rest.issues.listComments, {
		...repository,
		issue_number: issue,
		per_page: 100,
	});
	for await (const { data } of pages) {
		for (const { body, user } of data) {
			if (user?.type !== 'Bot' || user.login !== ACTIONS_LOGIN) continue;
			const order = parseOrder(body ?? '');
			if (order?.run.id === run.id && order.run.attempt === run.attempt) newest = order;
		}
	}
	return newest;
}
