import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRequest } from '../config/load-request.ts';
import { flagOf, withDefaults } from '../config/option-names.ts';
import type { CompareOptions, Request } from '../config/resolve-request.ts';
import { checkWorkflows, naming } from '../init/workflows/check-workflows.ts';
import { listPins } from '../init/workflows/list-pins.ts';
import { findNeededService, readManifests } from '../init/workflows/needed-service.ts';
import { readRepository } from '../init/workflows/read-workflows.ts';
import { affinityFor } from '../measure/affinity.ts';
import { findOneLane } from '../measure/lanes/find-lanes.ts';
import { checkDocument } from '../report/check-document.ts';
import { toTerminal } from '../report/document/terminal-writer.ts';
import { findBase, isAsCommitted } from '../runs/check/as-committed.ts';
import { checkPair, problemsOf } from '../runs/check/check-pair.ts';
import { describeMachine, readMachine } from '../runs/check/describe-machine.ts';
import type { AskedPair } from '../runs/verify-pair.ts';
import { shellWord } from '../text/escape.ts';
import { countOf } from '../text/numbers.ts';
import { EXIT, isUserError } from '../types/errors.ts';
import type { Finding } from '../types/finding.ts';
import { type MeasuringFlags, measureAndReport } from './measuring.ts';
import { printReport } from './write-reports.ts';

export interface CheckFlags extends Partial<CompareOptions>, MeasuringFlags {}

/** Runs the first minute of a comparison and returns the first problem's exit code, else 0. */
export async function runCheckCommand(flags: CheckFlags): Promise<number> {
	const cwd = process.cwd();
	const { base = '', head = '' } = withDefaults('check', flags);
	const options = { ...flags, base, head };
	const read = await readConfig(cwd, options);
	return measureAndReport(
		flags,
		async (tools) => {
			const affinity = affinityFor(read.request?.config ?? {}, await findOneLane(tools));
			const machine = describeMachine(readMachine(tools.node, affinity), read.request?.config);
			const sides = read.request
				? await checkPair({ ...tools, ...read.request, ...(await revisionsOf(flags)), cwd, bursts: true })
				: [];
			return [...read.findings, ...sides, ...(await findInWorkflows(cwd, read.request)), ...machine];
		},
		async (findings) => {
			const next = nextCommand({ ...options, base: (await usefulBase(flags)) ?? base });
			printReport((style) => toTerminal(checkDocument(findings, next), style));
			return exitCodeOf(findings);
		},
	);
}

async function findInWorkflows(cwd: string, request: Request | null): Promise<readonly Finding[]> {
	const repository = await readRepository(cwd);
	const file = request?.config.file;
	const text = file === undefined ? null : await readFile(join(cwd, file), 'utf8').catch(() => null);
	const service = findNeededService({
		config: file === undefined || text === null ? null : { file, text },
		manifest: await repository.read('package.json'),
		others: await readManifests(repository.read),
	});
	const budgetSeconds = request?.config.budgetSeconds ?? null;
	const { GITHUB_SERVER_URL: server = 'https://github.com' } = process.env;
	return [
		...(await checkWorkflows(repository, { budgetSeconds, service })),
		...(await listPins(naming(repository.workflows), server)),
	];
}

/** After `init` no built file has changed, so the commit replaces the folder and is built once. */
async function revisionsOf(flags: CheckFlags): Promise<Pick<AskedPair, 'revisions' | 'labels'>> {
	const { base = '', head = '' } = withDefaults('check', flags);
	if (!(await isUnchanged(flags))) return { revisions: { base, head } };
	return { revisions: { base, head: base }, labels: { head: 'this folder, as committed' } };
}

async function isUnchanged({ base, head }: CheckFlags): Promise<boolean> {
	return base === undefined && head === undefined && isAsCommitted(process.cwd());
}

/** The last commit is no base for itself. */
async function usefulBase(flags: CheckFlags): Promise<string | null> {
	return (await isUnchanged(flags)) ? findBase(process.cwd()) : null;
}

export function exitCodeOf(findings: readonly Finding[]): number {
	const problem = findings.find(({ kind }) => kind === 'problem');
	return problem === undefined ? EXIT.passed : (problem.exitCode ?? EXIT.usage);
}

const COMPARED = [
	...(['base', 'head', 'server', 'scenario', 'config', 'subject', 'package'] as const),
	...(['runtime', 'baseRuntime', 'headRuntime', 'node', 'serverCpus', 'loadCpus'] as const),
];

interface ReadConfig {
	/** Null if the config is unusable. */
	readonly request: Request | null;
	readonly findings: readonly Finding[];
}

/** Throws UserError for wrong flags; config errors become findings. */
async function readConfig(cwd: string, flags: CompareOptions): Promise<ReadConfig> {
	try {
		const request = await readRequest(cwd, flags);
		return { request, findings: [describeConfig(request)] };
	} catch (error) {
		if (!isUserError(error) || error.code === 'bad-flag') throw error;
		return { request: null, findings: problemsOf(error, 'config') };
	}
}

function describeConfig({ config }: Request): Finding {
	const servers = config.servers.map(({ name }) => name).join(', ');
	const loads = `${servers} with ${countOf(config.scenarios.length, 'scenario')}`;
	return { kind: 'ok', about: 'config', text: `${config.file ?? 'no benchgate.yml, so the defaults apply'}: ${loads}` };
}

function nextCommand(flags: CompareOptions): string {
	const flagWords = COMPARED.flatMap((name) => (flags[name] ? [flagOf(name), flags[name]] : []));
	return ['npx', 'benchgate', 'compare', ...flagWords].map(shellWord).join(' ');
}
