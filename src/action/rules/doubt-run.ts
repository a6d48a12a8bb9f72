import { posix } from 'node:path';
import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import { isWithin } from '../../init/workflows/executed-files.ts';
import { nameAll } from '../../text/phrase.ts';
import { nameRuntime, runtimeOf } from '../../text/runtime-words.ts';
import type { Config, PackageOverride } from '../../types/config.ts';
import type { Environment, Raw } from '../../types/result.ts';
import {
	type AskedRuntime,
	askedRuntime,
	asksForOne,
	RUNTIME_LABELS,
	type RuntimeInfo,
	type RuntimeWishes,
} from '../../types/runtime.ts';
import { SIDES, type Sides } from '../../types/units.ts';

/** Commits that should be compared, if no revisions are named. */
export interface ExpectedCommits {
	readonly head: string;
	/** Merge base; null if unknown, and for a merge group. */
	readonly base: string | null;
	readonly branch: string;
}

type Context = Pick<Raw['context'], 'base' | 'head'>;
type Ran = Pick<Environment, 'runtimes' | 'node'>;

const MOST_NAMED = 5;

export function doubtRuntimes(ran: Ran, wishes: RuntimeWishes, source: string): readonly string[] {
	const sideRuntimes = SIDES.map((side) => ({ side, asked: askedRuntime(wishes, side), on: runtimeOf(ran, side) }));
	if (sideRuntimes.every((one) => one.asked === undefined)) {
		if (ran.runtimes === undefined) return [];
		const chosen = sideRuntimes.map(({ side, on }) => `${side} on ${nameRuntime(on)}`).join(' and ');
		return [`The measuring run ran ${chosen}, and ${source} names no runtime.`];
	}
	const wrong = sideRuntimes.filter(({ asked: wish = AT_HAND, on }) => !isAsked(on, wish, ran.node));
	if (wrong.length > 0) {
		const what = wrong.map(
			({ side, asked: wish = AT_HAND, on }) => `${side} on ${nameRuntime(on)} instead of ${nameAsked(wish)}`,
		);
		return [`The measuring run ran ${what.join(' and ')}, against ${source}.`];
	}
	const [base, head] = sideRuntimes.map(({ on }) => nameRuntime(on));
	if (base === head || !asksForOne(wishes)) return [];
	return [`The measuring run ran base on ${base} and head on ${head}, and ${source} names one runtime.`];
}

const AT_HAND: AskedRuntime = { name: 'node' };

function nameAsked({ name, version }: AskedRuntime): string {
	if (name === 'node' && version === undefined) return 'the Node at hand';
	return [RUNTIME_LABELS[name], version].filter((part) => part !== undefined).join(' ');
}

/** Without a version, `node` means the Node that builds, and another runtime means its newest version. */
function isAsked(on: RuntimeInfo, { name, version }: AskedRuntime, atHand: string): boolean {
	if (on.name !== name) return false;
	if (version === undefined) return name !== 'node' || on.version === atHand;
	return on.version === version || on.version.startsWith(`${version}.`);
}

/**
 * Returns a doubt if overridden packages have other versions than the base branch asks for, or differ between the
 * sides. Folders and tarballs cannot be checked here.
 */
export function doubtPackages(
	ran: Context,
	{ packages = [] }: Pick<Config, 'packages'>,
	source: string,
): readonly string[] {
	const wrong = packages.flatMap((override) => {
		const sideVersions = versionsOf(ran, override.name);
		const allVersions = SIDES.flatMap((side) => sideVersions.map((versions) => versions[side]));
		const other = allVersions.filter((versions) => !isPlace(versions, override));
		const differing = sideVersions.some(({ base, head }) => base !== head);
		if (other.length === 0 && !differing) return [];
		return [`${override.name} ${[...new Set(allVersions)].join(' and ')} instead of ${override.place}`];
	});
	return wrong.length === 0 ? [] : [`The measuring run used ${nameAll(wrong, MOST_NAMED)}, against ${source}.`];
}

/**
 * Returns a doubt if the change touches a folder or tarball that overrides a package, because both sides take it from
 * head's checkout.
 */
export function doubtPlaces(
	changed: readonly string[],
	{ packages = [] }: Pick<Config, 'packages'>,
): readonly string[] {
	const touched = packages.filter(({ place }) => {
		const folder = posix.normalize(place).replace(/\/$/, '');
		return changed.some((path) => folder === '.' || isWithin(path, [folder]));
	});
	if (touched.length === 0) return [];
	const which = nameAll(
		touched.map(({ name, place }) => `${name} from ${place}`),
		MOST_NAMED,
	);
	return [`Both sides ran ${which}, as this change has it: read that before you trust the result.`];
}

function versionsOf({ base, head }: Context, name: string): readonly Sides<string>[] {
	const servers = new Set([...Object.keys(base.versions), ...Object.keys(head.versions)]);
	return [...servers].flatMap((server) => {
		const [on, off] = [base, head].map(({ versions }) => new Map(Object.entries(versions[server] ?? {})).get(name));
		return on === undefined && off === undefined ? [] : [{ base: on ?? 'none', head: off ?? 'none' }];
	});
}

/** `versions` may be several, separated by commas. */
function isPlace(versions: string, { name, place }: PackageOverride): boolean {
	const range = place.replace(/^npm:/, '').replace(`${name}@`, '');
	if (validRange(range) === null) return true;
	return versions.split(', ').some((version) => satisfies(version, range, { includePrerelease: true }));
}

/**
 * Returns a doubt if the run compared other commits. The author chooses the base branch, and may change it after the
 * measurement.
 */
export function doubtCommits(
	{ base, head }: Pick<Raw['context'], 'base' | 'head'>,
	expected: ExpectedCommits | undefined,
): readonly string[] {
	if (expected === undefined) return [];
	if (head.sha !== expected.head) {
		return [`The measuring run measured ${nameOf(head.sha)}, but this report is about ${nameOf(expected.head)}.`];
	}
	if (expected.base === null || base.sha === expected.base) return [];
	const compared = `The measuring run compared with ${nameOf(base.sha)}`;
	const leaves = `the pull request branches off ${expected.branch} at ${nameOf(expected.base)}`;
	return [`${compared}, but ${leaves}. Run it again.`];
}

function nameOf(sha: string | undefined): string {
	return sha === undefined ? 'something that is no commit' : `commit ${sha.slice(0, 7)}`;
}
