import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { METHODS } from '../config/file/config-schema-parts.ts';
import { readRequest } from '../config/load-request.ts';
import { suggest } from '../config/suggest.ts';
import { SAFE_METHODS } from '../init/scenario-lines.ts';
import { type Explorable, writeAnswered, writeInitialConfig } from '../init/write-initial-config.ts';
import type { Ask } from '../measure/answers/verify-server.ts';
import { QUESTION_MS } from '../process/deadline.ts';
import { checkDocument } from '../report/check-document.ts';
import { toTerminal } from '../report/document/terminal-writer.ts';
import { checkPair, problemsOf } from '../runs/check/check-pair.ts';
import { MESSAGE_LIMIT, plainText } from '../text/escape.ts';
import type { Config, Scenario } from '../types/config.ts';
import { EXIT, isUserError, UserError } from '../types/errors.ts';
import type { Finding } from '../types/finding.ts';
import { exitCodeOf } from './check-command.ts';
import { measureAndReport } from './measuring.ts';
import { printReport } from './write-reports.ts';

const HERE = 'dir:.';

const NAME = 'this folder';

interface TryOptions {
	readonly methods: readonly string[];
	readonly sure: boolean;
	/** Whether a flag asked for the try; otherwise it is only offered. */
	readonly asked: boolean;
	readonly explore: Explorable | undefined;
}

export interface InitFlags {
	readonly try?: boolean;
	readonly yes?: boolean;
	readonly from?: string;
	readonly methods?: string;
}

/** Writes a starter config, prints the next steps, and tries it if a flag or the user asks for that. */
export async function runInitCommand(flags: InitFlags): Promise<number> {
	const cwd = process.cwd();
	const methods = readMethods(flags.methods);
	if (flags.try && !flags.yes && !isTerminal()) throw cannotAsk();
	const choose = isTerminal() && !flags.yes ? chooseService : undefined;
	const { summary, explore } = await writeInitialConfig(cwd, { openapi: flags.from, methods, choose });
	process.stdout.write(`${summary}\n`);
	if (!flags.try && !isTerminal()) return EXIT.passed;
	const sure = flags.yes === true && flags.try === true;
	return tryConfig(cwd, { methods, explore, sure, asked: flags.try === true });
}

function readMethods(text: string | undefined): readonly string[] {
	if (text === undefined) return SAFE_METHODS;
	const methods = text.split(',').map((name) => name.trim().toUpperCase());
	const wrong = methods.find((name) => !METHODS.some((method) => method === name));
	if (wrong === undefined) return [...new Set([...SAFE_METHODS, ...methods])];
	const near = suggest(wrong, [...METHODS]);
	throw new UserError({
		code: 'bad-flag',
		where: `--methods ${text}`,
		message: `"${wrong}" is not a method${near === undefined ? '' : `; did you mean "${near}"?`}`,
		remedy: `write methods separated by commas, of ${METHODS.join(', ')}`,
	});
}

function cannotAsk(): UserError {
	return new UserError({
		code: 'bad-flag',
		where: '--try',
		message: 'it asks before it runs anything, and this is no terminal to answer in',
		remedy: 'add --yes to run what is written without being asked',
	});
}

function isTerminal(): boolean {
	return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Asks, then starts two copies of the folder and sends every scenario with an allowed method. Returns the exit code. */
async function tryConfig(cwd: string, { methods, sure, asked, explore }: TryOptions): Promise<number> {
	const reading = await readHere(cwd);
	if ('findings' in reading) {
		if (!asked) return EXIT.passed;
		return report(reading.findings);
	}
	const { config, skipped } = onlyMethods(reading.config, methods);
	process.stdout.write(`\n${describeTry(cwd, config, skipped, explore !== undefined)}\n`);
	if (!sure && !(await confirm('Start it now? [y/N] '))) return EXIT.passed;
	const revisions = { base: HERE, head: HERE };
	const labels = { base: NAME, head: NAME };
	let note = '';
	const askRoutes = async (routes: Explorable, ask: Ask) => {
		note = await writeAnswered(routes, ask, methods);
		const again = await readHere(cwd);
		return 'findings' in again ? config : onlyMethods(again.config, methods).config;
	};
	return measureAndReport(
		{},
		(tools) => checkPair({ ...tools, config, revisions, labels, cwd }, explore && ((ask) => askRoutes(explore, ask))),
		(findings) => {
			if (note !== '') process.stdout.write(`${note}\n\n`);
			return report(findings);
		},
	);
}

/** Also keeps all scenarios of built-in servers, because these are ours. */
function onlyMethods(
	config: Config,
	methods: readonly string[],
): { readonly config: Config; readonly skipped: readonly string[] } {
	const isAllowed = ({ request }: Pick<Scenario, 'request'>) => methods.includes(request.method);
	const stays = (scenario: Scenario) =>
		scenario.origin === 'built-in' ||
		(isAllowed(scenario) && (scenario.learn === undefined || isAllowed(scenario.learn)));
	const scenarios = config.scenarios
		.filter(stays)
		.map((one) => (one.origin === 'built-in' ? one : { ...one, checks: one.checks.filter(isAllowed) }));
	const skipped = config.scenarios.filter((scenario) => !stays(scenario)).map(({ name }) => name);
	return { config: { ...config, scenarios }, skipped };
}

async function readHere(cwd: string): Promise<{ readonly config: Config } | { readonly findings: readonly Finding[] }> {
	try {
		return await readRequest(cwd, { base: HERE, head: HERE });
	} catch (error) {
		if (!isUserError(error)) throw error;
		return { findings: problemsOf(error, 'config') };
	}
}

function describeTry(
	cwd: string,
	{ servers, scenarios, prepare, subject }: Config,
	skipped: readonly string[],
	explores: boolean,
): string {
	const commands = servers.map((server) =>
		server.kind === 'custom'
			? `  start    ${server.command}${server.cwd === '.' ? '' : `   (in ${server.cwd})`}`
			: `  start    the built-in server ${server.name}, with the package in ${subject}`,
	);
	const requests = scenarios
		.filter(({ origin }) => origin === 'config')
		.map(({ request }) => `  ask      ${request.method} ${request.path}`);
	const builtIn = scenarios.length - requests.length;
	return [
		'To try it, two copies of this folder are made, and in each is run:',
		`  build    ${prepare ?? 'install by lockfile, and the build script where files are missing'}`,
		...commands,
		...requests,
		...(builtIn > 0 ? [`  ask      the built-in scenarios (${builtIn})`] : []),
		...(explores
			? ['First benchgate requests an OpenAPI document from it at the usual paths, and each route of its code (GET).']
			: []),
		...(skipped.length > 0 ? [`Not asked, because --methods does not name their method: ${skipped.join(', ')}.`] : []),
		...(isCopied(cwd, '.env')
			? ['Its .env is copied too, because git does not ignore it: what it names is what the server talks to.']
			: ['What git ignores is not copied, and no .env is loaded.']),
	]
		.map((line) => plainLine(line))
		.join('\n');
}

function plainLine(line: string): string {
	const [indent = ''] = /^ */.exec(line) ?? [];
	const [, label = '', content = line] = /^ *(build|start|ask) +(.*)$/s.exec(line) ?? [];
	return label === ''
		? plainText(line, MESSAGE_LIMIT)
		: `${indent}${label.padEnd(9)}${plainText(content, MESSAGE_LIMIT)}`;
}

function isCopied(cwd: string, file: string): boolean {
	if (!existsSync(join(cwd, file))) return false;
	try {
		execFileSync('git', ['check-ignore', '--quiet', file], { cwd, stdio: 'ignore', timeout: QUESTION_MS });
		return false;
	} catch {
		return true;
	}
}

/** Anything but a number means the first, most likely one. */
async function chooseService(candidates: readonly string[]): Promise<number> {
	const lines = candidates.map((line, at) => `  ${at + 1}  ${plainText(line, MESSAGE_LIMIT)}`);
	process.stdout.write(`Several services are here, the most likely first:\n${lines.join('\n')}\n`);
	const number = Number.parseInt(
		await question(`Which one should be measured? [1-${candidates.length}, Enter for 1] `),
		10,
	);
	return number >= 1 && number <= candidates.length ? number - 1 : 0;
}

/** A closed input counts as no. */
async function confirm(asked: string): Promise<boolean> {
	return /^y(?:es)?$/i.test(await question(asked));
}

async function question(asked: string): Promise<string> {
	const reader = createInterface({ input: process.stdin, output: process.stdout });
	try {
		const closed = once(reader, 'close').then(() => '');
		return (await Promise.race([reader.question(asked), closed])).trim();
	} finally {
		reader.close();
	}
}

async function report(findings: readonly Finding[]): Promise<number> {
	printReport((style) => toTerminal(checkDocument(findings, 'npx benchgate compare --base HEAD --head .'), style));
	return exitCodeOf(findings);
}
