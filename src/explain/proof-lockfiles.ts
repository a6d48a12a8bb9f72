/** Mixes lockfiles that hold several versions side by side. Their managers pass over entries that nothing needs. */
import { parse, stringify } from 'yaml';
import type { ChangedFile, FileState } from '../types/difference.ts';

export type Keeps = (name: string) => boolean;

export interface MixableLock {
	readonly path: string;
	readonly mode: FileState['mode'];
	readonly versions: ReadonlyMap<string, { readonly base: string | null; readonly head: string | null }>;
	/** Without a change of package.json. */
	readonly chosen: ReadonlySet<string>;
	write(keeps: Keeps): string;
}

type Map_ = Readonly<Record<string, unknown>>;

const LARGEST = 20_000_000;
const PNPM = /(?:^|\/)pnpm-lock\.yaml$/;
const YARN = /(?:^|\/)yarn\.lock$/;

/** Returns null for others. */
export function readMixable({ path, base, head }: ChangedFile): MixableLock | null {
	if (base === null || head === null || base.mode !== head.mode || base.mode === '120000') return null;
	const [before, after] = [base, head].map(({ content }) => Buffer.from(content).toString('utf8'));
	if (before === undefined || after === undefined || Math.max(before.length, after.length) > LARGEST) return null;
	const read = PNPM.test(path) ? readPnpm(before, after) : YARN.test(path) ? readYarn(before, after) : null;
	return read && { path, mode: head.mode, ...read };
}

type Read = Omit<MixableLock, 'path' | 'mode'>;

interface Pnpm {
	readonly importers: Readonly<Record<string, Map_>>;
	readonly packages: Map_;
	readonly snapshots: Readonly<Record<string, Map_>>;
	readonly others: string;
}

function readPnpm(before: string, after: string): Read | null {
	const [base, head] = [parsePnpm(before), parsePnpm(after)];
	if (base === null || head === null || base.others !== head.others) return null;
	if (Object.keys(base.importers).join('\n') !== Object.keys(head.importers).join('\n')) return null;
	const chosen = new Set<string>();
	const mix = (keeps: Keeps) => {
		const merge = (one: Map_ = {}, other: Map_ = {}) =>
			Object.fromEntries(
				[...new Set([...Object.keys(other), ...Object.keys(one)])].flatMap((name) => {
					const value = (keeps(name) ? other : one)[name];
					return value === undefined ? [] : [[name, value]];
				}),
			);
		const mergeAll = (one: Map_, other: Map_) => {
			const groups = PNPM_GROUPS.flatMap((group) => {
				const merged = merge(mapOf(one[group]), mapOf(other[group]));
				return Object.keys(merged).length === 0 ? [] : [[group, merged]];
			});
			const rest = Object.entries(other).filter(([key]) => !PNPM_GROUPS.includes(key));
			return Object.fromEntries([...groups, ...rest]);
		};
		const both = (one: Pnpm['snapshots'], other: Pnpm['snapshots']) =>
			Object.fromEntries(
				[...new Set([...Object.keys(one), ...Object.keys(other)])].map((key) => {
					const [was, is] = [one[key], other[key]];
					return [key, was && is ? mergeAll(was, is) : (is ?? was)];
				}),
			);
		return {
			...JSON.parse(head.others),
			importers: both(base.importers, head.importers),
			packages: { ...base.packages, ...head.packages },
			snapshots: both(base.snapshots, head.snapshots),
		};
	};
	for (const kind of ['importers', 'snapshots'] as const) {
		for (const [key, is] of Object.entries(head[kind])) {
			const was = base[kind][key];
			for (const group of was === undefined ? [] : PNPM_GROUPS) {
				const [one = {}, other = {}] = [mapOf(was?.[group]), mapOf(is[group])];
				for (const name of new Set([...Object.keys(one), ...Object.keys(other)]))
					if (JSON.stringify(one[name]) !== JSON.stringify(other[name])) chosen.add(name);
			}
		}
	}
	const versions = versionsOf(namesOf(Object.keys(base.packages)), namesOf(Object.keys(head.packages)));
	return { versions, chosen, write: (keeps) => stringify(mix(keeps), { lineWidth: 0 }) };
}

const PNPM_GROUPS: readonly string[] = ['dependencies', 'devDependencies', 'optionalDependencies'];

function parsePnpm(text: string): Pnpm | null {
	try {
		const lock = mapOf(parse(text));
		if (lock?.lockfileVersion !== '9.0' || text.includes('__proto__')) return null;
		const { importers, packages = {}, snapshots = {}, ...others } = lock;
		const maps = [importers, packages, snapshots].map(mapOf);
		if (!maps.every((map) => map !== undefined && Object.values(map).every(mapOf))) return null;
		const [ofImporters, ofPackages, ofSnapshots] = maps as Readonly<Record<string, Map_>>[];
		return {
			...{ importers: ofImporters ?? {}, packages: ofPackages ?? {}, snapshots: ofSnapshots ?? {} },
			others: JSON.stringify(others),
		};
	} catch {
		return null;
	}
}

function mapOf(value: unknown): Map_ | undefined {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Map_) : undefined;
}

/** `@a/b@1.0.0` → name and version. */
function namesOf(keys: readonly string[]): (readonly [name: string, version: string])[] {
	return keys.map((key) => {
		const at = key.indexOf('@', 1);
		return at < 0 ? [key, ''] : [key.slice(0, at), key.slice(at + 1)];
	});
}

function versionsOf(
	base: readonly (readonly [name: string, version: string])[],
	head: readonly (readonly [name: string, version: string])[],
): MixableLock['versions'] {
	const group = (pairs: typeof base) =>
		new Map(
			[...Map.groupBy(pairs, ([name]) => name)].map(([name, all]) => [
				name,
				[...new Set(all.map(([, version]) => version))].sort().join(', '),
			]),
		);
	const [before, after] = [group(base), group(head)];
	const names = [...new Set([...before.keys(), ...after.keys()])].filter(
		(name) => before.get(name) !== after.get(name),
	);
	return new Map(names.map((name) => [name, { base: before.get(name) ?? null, head: after.get(name) ?? null }]));
}

/** `qs@^6.13.0` → entry. */
type Yarn = ReadonlyMap<string, string>;

function readYarn(before: string, after: string): Read | null {
	const [base, head] = [parseYarn(before), parseYarn(after)];
	if (base === null || head === null) return null;
	const differing = [...head].filter(([wanted, entry]) => base.has(wanted) && base.get(wanted) !== entry);
	const pairs = (lock: Yarn) =>
		[...lock].map(([wanted, entry]) => [nameOf(wanted), /^ {2}version "?([^"\n]*)/m.exec(entry)?.[1] ?? ''] as const);
	return {
		versions: versionsOf(pairs(base), pairs(head)),
		chosen: new Set(differing.map(([wanted]) => nameOf(wanted))),
		write(keeps) {
			const mixed = new Map([...base, ...head]);
			for (const [wanted, entry] of base) if (!keeps(nameOf(wanted))) mixed.set(wanted, entry);
			const groups = Map.groupBy([...mixed.keys()].sort(), (wanted) => `${nameOf(wanted)}\n${mixed.get(wanted)}`);
			const entries = [...groups].map(
				([key, all]) => `${all.map((wanted) => JSON.stringify(wanted)).join(', ')}:${key.slice(key.indexOf('\n'))}`,
			);
			return `${YARN_HEADER}\n\n\n${entries.join('\n\n')}\n`;
		},
	};
}

const YARN_HEADER = '# THIS IS AN AUTOGENERATED FILE. DO NOT EDIT THIS FILE DIRECTLY.\n# yarn lockfile v1';

function parseYarn(text: string): Yarn | null {
	if (!text.includes('\n# yarn lockfile v1') || /^[<>=]{7}/m.test(text)) return null;
	const lock = new Map<string, string>();
	for (const block of text
		.replaceAll('\r\n', '\n')
		.split(/\n(?=[^\s#])/)
		.slice(1)) {
		const [first = '', ...lines] = block.trimEnd().split('\n');
		if (!first.endsWith(':') || !lines.every((line) => line.startsWith('  '))) return null;
		for (const wanted of first.slice(0, -1).split(/,\s*/)) lock.set(wanted.replace(/^"|"$/g, ''), lines.join('\n'));
	}
	return lock;
}

function nameOf(wanted: string): string {
	return namesOf([wanted])[0]?.[0] ?? wanted;
}
