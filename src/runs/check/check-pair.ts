import type { Ask } from '../../measure/answers/verify-server.ts';
import { openBench } from '../../measure/bench.ts';
import { timingFor } from '../../plan/timing.ts';
import { saysReads } from '../../prepare/content/reads.ts';
import { prepareSides } from '../../prepare/prepare-sides.ts';
import { countOf } from '../../text/numbers.ts';
import { nameAll } from '../../text/phrase.ts';
import { nameRuntime } from '../../text/runtime-words.ts';
import type { Config, Design } from '../../types/config.ts';
import { EXIT, isUserError, type UserError } from '../../types/errors.ts';
import type { Finding } from '../../types/finding.ts';
import type { Prepared } from '../../types/prepared.ts';
import type { RevisionInfo } from '../../types/result.ts';
import { asksForOne, type RuntimeInfo } from '../../types/runtime.ts';
import { SIDES, type Sides } from '../../types/units.ts';
import type { Exercised } from '../cover-subject.ts';
import { openSides } from '../open-sides.ts';
import { sharedServers } from '../present-servers.ts';
import { findUnchanged } from '../run-comparison.ts';
import {
	type AskedPair,
	type IsolatedPair,
	prepareContextOf,
	runtimeWarnings,
	verifyPair,
	withRuntimes,
} from '../verify-pair.ts';
import { describeAnswers } from './describe-answers.ts';
import { describeIsolation } from './describe-machine.ts';

const MOST_NAMED = 5;

/**
 * Does all that precedes the first load: builds both sides, starts every server twice, asks every scenario. An error
 * becomes the last finding. Cleans up. Throws the reason of `asked.signal`.
 */
export async function checkPair(options: AskedPair, explore?: Explore): Promise<readonly Finding[]> {
	const findings: Finding[] = [];
	try {
		await using isolation = await openSides(options);
		const isolated = await withRuntimes({ ...options, isolation });
		findings.push(...describeRuntimes(isolated.runtimes));
		const config = { ...options.config, servers: sharedServers(options) };
		const prepared = await prepareSides(config, options.revisions, prepareContextOf(isolated));
		findings.push(...describeSides(prepared));
		const asked = explore === undefined ? config : await exploreServer(isolated, prepared, explore);
		const verified = await verifyPair({ ...isolated, config: asked, covers: true }, prepared);
		findings.push(
			...describeAnswers(verified),
			...describeExercised(verified.exercised),
			...describeSame(options, prepared),
			...(await describeUntouched(options)),
		);
		await verified.bench.close();
		findings.push(describeIsolation(options.config, isolation));
	} catch (error) {
		options.signal.throwIfAborted();
		if (!isUserError(error)) throw error;
		findings.push(...problemsOf(error, 'sides'));
	}
	return findings;
}

/** Asks a started server, and returns the config that is then checked. */
export type Explore = (ask: Ask) => Promise<Config>;

async function exploreServer(options: IsolatedPair, prepared: Prepared, explore: Explore): Promise<Config> {
	const { config, progress } = options;
	const server = config.servers.find(({ kind }) => kind === 'custom');
	if (server === undefined) return config;
	const bench = await openBench({ ...options, limits: config });
	try {
		progress.step(`Asking ${server.name} for its routes`);
		const timing = (design: Design) => timingFor({ ...config, design });
		return (await bench.ask({ config, prepared, timing }, server.name, explore)) ?? config;
	} finally {
		await bench.close();
	}
}

/**
 * Returns a fixable error as findings, one per line of its message. They are about the error's side, or else about
 * `otherwise`.
 */
export function problemsOf(error: UserError, otherwise: string): readonly Finding[] {
	const { where, message, remedy, details, exitCode } = error;
	const side = SIDES.find((name) => where?.startsWith(`${name} (`) || where === `--${name}`);
	const lines = message.split('\n');
	return lines.map((line, at) => ({
		kind: 'problem',
		about: side ?? otherwise,
		text: at === 0 && where !== undefined ? `${where}: ${line}` : line,
		...(at === lines.length - 1 && { ...(remedy && { remedy }), ...(details && { details }) }),
		exitCode,
	}));
}

export function describeRuntimes(runtimes: Sides<RuntimeInfo> | undefined): readonly Finding[] {
	if (runtimes === undefined) return [];
	const { base, head } = runtimes;
	const [onBase, onHead] = [nameRuntime(base), nameRuntime(head)];
	const text = onBase === onHead ? `both sides run on ${onBase}` : `base runs on ${onBase}, head on ${onHead}`;
	const notes = runtimeWarnings(runtimes).map(({ message }) => message.replace(/\.$/, ''));
	return [
		{ kind: 'ok', about: 'runtime', text },
		...notes.map((note): Finding => ({ kind: 'note', about: 'runtime', text: note })),
	];
}

function describeSides({ sides, harness, warnings }: Prepared): readonly Finding[] {
	const made = SIDES.map((side): Finding => {
		const { info, servers } = sides[side];
		const names = Object.keys(servers);
		return {
			kind: 'ok',
			about: side,
			text: `${labelOf(info)}, ready to start ${countOf(names.length, 'server')}${names.length === 0 ? '' : `: ${names.join(', ')}`}`,
		};
	});
	const from: Finding[] =
		harness === undefined
			? []
			: [{ kind: 'ok', about: 'harness', text: `${harness.folders.join(', ')} from ${harness.label} on both sides` }];
	const noticed = warnings.map(
		({ message, side }): Finding => ({ kind: 'note', about: side ?? 'sides', text: message.replace(/\.$/, '') }),
	);
	return [...made, ...from, ...noticed];
}

function describeExercised(exercised: Exercised | null): readonly Finding[] {
	if (exercised === null) return [];
	const { subject, cell, warning } = exercised;
	if (cell !== null) return [{ kind: 'ok', about: 'coverage', text: `${cell} runs ${subject.name} under load` }];
	if (warning === null) return [];
	const remedy = `add a scenario that benchgate list --runs ${subject.name} names, or write one`;
	return [{ kind: 'problem', about: 'coverage', text: warning.message, remedy, exitCode: EXIT.gateFailed }];
}

/** Like `main@1a2b3c4 (koa@3.0.1), built with bun run build because koa names dist/index.js`. */
function labelOf({ label, subject, built }: RevisionInfo): string {
	const name = subject === undefined ? '' : `${subject.name}@${subject.version}`;
	const what = name === '' || name === label ? label : `${label} (${name})`;
	return built === undefined
		? what
		: `${what}, built with ${built.command} because ${built.package} names ${built.file}`;
}

/** Returns a note if both sides are named, and are the same. */
export function describeSame({ config, labels }: AskedPair, { sides }: Pick<Prepared, 'sides'>): readonly Finding[] {
	const [base, head] = SIDES.map((side) => sides[side].info).map(
		({ kind, sha, revision }) => `${kind}:${sha ?? revision}`,
	);
	if (base !== head || labels !== undefined || !asksForOne(config)) return [];
	const remedy = 'name another base, for example --base main or --base HEAD~1';
	const text = 'base and head are the same code, so a comparison finds nothing but noise';
	return [{ kind: 'note', about: 'sides', text, remedy }];
}

/** Returns a note on servers that can be skipped. */
export async function describeUntouched(options: AskedPair): Promise<readonly Finding[]> {
	const { config } = options;
	const { sameCode, unchanged, warnings } = await findUnchanged(options);
	const notes = warnings.map(({ message }): Finding => ({ kind: 'note', about: 'sides', text: message }));
	const servers = unchanged ? config.servers.map(({ name }) => name) : sameCode;
	if (servers.length === 0) return notes;
	const text = `${nameAll(servers, MOST_NAMED)}: ${saysReads(config) ? 'nothing that is read differs' : 'no code differs'}, so --skip-unchanged skips ${servers.length === 1 ? 'it' : 'them'}`;
	return [{ kind: 'note', about: 'sides', text }, ...notes];
}
