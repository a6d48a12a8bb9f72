import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT, UserError } from '../../types/errors.ts';
import type { Side } from '../../types/units.ts';
import { findTrouble, networkFields, quoteNetworkTrouble, tailOf } from '../build/build-failure.ts';
import { type ChildOutcome, runChild } from '../child.ts';
import { longestStep, type Session } from '../prepare-context.ts';
import type { NpmSpec } from './parse-revision.ts';

const NEWEST = 5;

const NETWORK_LINES = 7;

export type Refusal = 'no-package' | 'no-version' | 'network' | 'other';

export function classifyRefusal(output: string): Refusal {
	const code = /^npm (?:error|ERR!) code (\w+)/m.exec(output)?.[1];
	if (code === 'E404') return 'no-package';
	if (code === 'ETARGET' || code === 'ENOVERSIONS') return 'no-version';
	return findTrouble(output) === 'network' || /prox(y|ies)/i.test(output) ? 'network' : 'other';
}

export interface Refused {
	readonly refusal: Refusal;
	readonly outcome: ChildOutcome;
}

export async function lookUpVersion(session: Session, spec: NpmSpec): Promise<{ readonly version: string } | Refused> {
	const outcome = await runNpm(session, ['pack', '--dry-run', '--json', `${spec.name}@${spec.range}`]);
	const version = outcome.succeeded ? readVersion(outcome.stdout) : undefined;
	if (version !== undefined) return { version };
	return { refusal: classifyRefusal(outcome.stderr), outcome };
}

/** The error lists available versions. */
export async function refusalError(
	session: Session,
	where: Side,
	spec: NpmSpec,
	{ refusal, outcome }: Refused,
): Promise<UserError> {
	const specText = `${spec.name}@${spec.range}`;
	const side = `${where} (${specText})`;
	if (refusal === 'network') {
		const fields = networkFields(`npm pack ${specText}`);
		return new UserError({
			...fields,
			where: side,
			details: quoteNetworkTrouble(outcome.stderr, NETWORK_LINES),
			exitCode: EXIT.nothingMeasured,
		});
	}
	if (refusal === 'no-package') {
		return new UserError({
			code: 'no-such-package',
			where: side,
			message: `the registry has no package "${spec.name}", or it may not be read without a login`,
			remedy: 'check the name; a private package needs its login in the npm settings of this user',
		});
	}
	if (refusal === 'no-version') {
		return new UserError({
			code: 'no-such-version',
			where: side,
			message: `version "${spec.range}" of ${spec.name} does not exist`,
			remedy: describeVersions(spec, await listVersions(session, spec.name)),
		});
	}
	return new UserError({
		code: 'npm-failed',
		where: side,
		message: outcome.missing ? 'npm is not installed' : `npm could not fetch ${specText} (${outcome.ending})`,
		remedy: outcome.missing ? 'install Node with npm' : `repeat it by hand: npm pack ${specText}`,
		details: tailOf(outcome.stderr),
		exitCode: EXIT.nothingMeasured,
	});
}

/** Runs npm outside any checkout: the user's settings choose the registry, never an `.npmrc` under test. */
export async function runNpm(session: Session, args: readonly string[]): Promise<ChildOutcome> {
	const cwd = await mkdtemp(join(session.cacheFolder, 'asking-'));
	const release = session.janitor.guardDirectory(cwd);
	try {
		// Ends npm's search for settings in the parent folders.
		await writeFile(join(cwd, 'package.json'), '{}');
		return await runChild(session, [session.npm ?? 'npm', ...args], { cwd, timeoutMs: longestStep(session) });
	} finally {
		await rm(cwd, { recursive: true, force: true, maxRetries: 3 });
		release();
	}
}

async function listVersions(session: Session, name: string): Promise<string[]> {
	const outcome = await runNpm(session, ['view', name, 'versions', '--json']);
	try {
		return [JSON.parse(outcome.stdout) as string | string[]].flat();
	} catch {
		return [];
	}
}

function describeVersions(spec: NpmSpec, versions: readonly string[]): string {
	const all = `npm view ${spec.name} versions`;
	if (versions.length === 0) return `see the versions: ${all}`;
	const nearest = nearestVersion(spec.range, versions);
	const lead = nearest === undefined ? '' : `nearest: ${nearest}; `;
	return `${lead}newest: ${newestVersions(versions).join(', ')}; see them all: ${all}`;
}

/** npm prints a list of packages; some releases print an object by name. */
function readVersion(json: string): string | undefined {
	try {
		const parsed = JSON.parse(json) as Record<string, { version?: string }>;
		return Object.values(parsed)[0]?.version;
	} catch {
		return undefined;
	}
}

/**
 * Returns the version that the user most likely means with a range that matches nothing. Prefers releases. `versions`
 * ascend.
 */
export function nearestVersion(range: string, versions: readonly string[]): string | undefined {
	const wanted = numbersOf(range);
	const [major] = wanted;
	if (major === undefined) return undefined;
	for (let length = wanted.length; length > 0; length--) {
		const match = newest(versions.filter((version) => beginsWith(version, wanted.slice(0, length))));
		if (match !== undefined) return match;
	}
	const distance = (version: string) => Math.abs((numbersOf(version)[0] ?? 0) - major);
	const shortest = Math.min(...versions.map(distance));
	return newest(versions.filter((version) => distance(version) === shortest));
}

/** Returns the newest versions, newest first; prereleases only without releases. */
export function newestVersions(versions: readonly string[]): string[] {
	return releasesOf(versions).slice(-NEWEST).reverse();
}

function newest(versions: readonly string[]): string | undefined {
	return releasesOf(versions).at(-1);
}

function releasesOf(versions: readonly string[]): readonly string[] {
	const releases = versions.filter((version) => !version.includes('-'));
	return releases.length > 0 ? releases : versions;
}

/** `^5.1` → [5, 1]. */
function numbersOf(text: string): number[] {
	const core = /\d+(?:\.\d+){0,2}/.exec(text)?.[0];
	return core === undefined ? [] : core.split('.').map(Number);
}

function beginsWith(version: string, numbers: readonly number[]): boolean {
	const versionNumbers = numbersOf(version);
	return numbers.every((number, index) => versionNumbers[index] === number);
}
