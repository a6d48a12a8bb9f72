/** Reads the current workflow run. */
import { readFileSync } from 'node:fs';
import type { Repository, RunIdentity, RunnerContext } from '../../types/action-run.ts';
import { UserError } from '../../types/errors.ts';

/** GitHub delivers no event larger than 25 MB. */
const EVENT_LIMIT = 32 * 1024 * 1024;

const FORMS = {
	GITHUB_EVENT_NAME: /^[a-z_]{1,64}$/,
	GITHUB_EVENT_PATH: /./,
	GITHUB_REPOSITORY: /^[A-Za-z0-9._-]+\/[A-Za-z0-9._-]+$/,
	GITHUB_RUN_ID: /^[1-9]\d{0,15}$/,
	GITHUB_SERVER_URL: /^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/,
	GITHUB_API_URL: /^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/,
	GITHUB_WORKSPACE: /./,
	RUNNER_TEMP: /./,
} as const;

type Variable = keyof typeof FORMS;

/**
 * Reads the runner's variables and the event file.
 *
 * @param readFile Throws if the file cannot be read.
 * @throws UserError `not-in-actions`; `bad-runner` with all missing or malformed variables; `bad-event`.
 */
export function readRunner(
	environment: Readonly<NodeJS.ProcessEnv>,
	readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): RunnerContext {
	if (environment.GITHUB_ACTIONS !== 'true') {
		throw new UserError({
			code: 'not-in-actions',
			message:
				'this program is the GitHub Action of benchgate and runs only in a workflow (GITHUB_ACTIONS is not "true")',
			remedy: 'on your own machine use the command line: npx benchgate compare --base main --head .',
		});
	}
	const variable = readVariables(environment);
	const repository = splitRepository(variable('GITHUB_REPOSITORY'));
	const serverUrl = withoutSlash(variable('GITHUB_SERVER_URL'));
	return {
		eventName: variable('GITHUB_EVENT_NAME'),
		payload: readPayload(variable('GITHUB_EVENT_PATH'), readFile),
		repository,
		sha: environment.GITHUB_SHA ?? '',
		ref: environment.GITHUB_REF ?? '',
		actor: environment.GITHUB_ACTOR,
		run: identifyRun(
			`${serverUrl}/${repository.owner}/${repository.repo}`,
			Number(variable('GITHUB_RUN_ID')),
			environment,
		),
		workflow: workflowIn(environment.GITHUB_WORKFLOW_REF ?? ''),
		serverUrl,
		apiUrl: withoutSlash(variable('GITHUB_API_URL')),
		workspace: variable('GITHUB_WORKSPACE'),
		tempFolder: variable('RUNNER_TEMP'),
	};
}

function readVariables(environment: Readonly<NodeJS.ProcessEnv>): (name: Variable) => string {
	const odd = (Object.keys(FORMS) as Variable[]).filter((name) => !FORMS[name].test(environment[name] ?? ''));
	if (odd.length > 0) {
		throw new UserError({
			code: 'bad-runner',
			message: `the runner did not set the usual variables: ${odd.join(', ')} ${odd.length === 1 ? 'is' : 'are'} missing or not of the usual form`,
			remedy: 'update the runner, and do not overwrite these variables in the workflow',
		});
	}
	return (name) => environment[name] ?? '';
}

function readPayload(path: string, readFile: (path: string) => string): unknown {
	const refuse = (what: string, cause?: unknown) =>
		new UserError({
			code: 'bad-event',
			where: `${path} (GITHUB_EVENT_PATH)`,
			message: `the file with the event ${what}`,
			remedy:
				'run the workflow again; if it happens again, check whether an earlier step writes into the runner’s temporary folder',
			cause,
		});
	let text: string;
	try {
		text = readFile(path);
	} catch (error) {
		const code = (error as NodeJS.ErrnoException).code;
		throw refuse(code === 'ENOENT' ? 'is not there' : `cannot be read${code === undefined ? '' : ` (${code})`}`, error);
	}
	if (text.length > EVENT_LIMIT) throw refuse(`is larger than ${EVENT_LIMIT / 1024 / 1024} MiB`);
	try {
		return JSON.parse(text) as unknown;
	} catch (error) {
		// The parser's message is dropped: it quotes the file, which strangers partly write.
		throw refuse(text.trim() === '' ? 'is empty' : 'is not JSON', error);
	}
}

function identifyRun(repositoryUrl: string, id: number, environment: Readonly<NodeJS.ProcessEnv>): RunIdentity {
	const attemptText = environment.GITHUB_RUN_ATTEMPT ?? '';
	const attempt = /^[1-9]\d{0,5}$/.test(attemptText) ? Number(attemptText) : 1;
	return { id, attempt, url: runUrl(repositoryUrl, id, attempt) };
}

export function runUrl(repositoryUrl: string, id: number, attempt: number): string {
	const page = `${repositoryUrl}/actions/runs/${id}`;
	return attempt === 1 ? page : `${page}/attempts/${attempt}`;
}

/** Reads `owner/name/.github/workflows/bench.yml@refs/heads/main`. */
function workflowIn(workflowRef: string): string | null {
	return /^[^@]*\/\.github\/workflows\/([^\p{Cc}/@]{1,200}\.ya?ml)@/u.exec(workflowRef)?.[1] ?? null;
}

function splitRepository(fullName: string): Repository {
	const [owner = '', repo = ''] = fullName.split('/');
	return { owner, repo };
}

function withoutSlash(url: string): string {
	return url.replace(/\/+$/, '');
}
