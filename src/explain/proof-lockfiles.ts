/** Mixes lockfiles that hold several versions side by side. Yarn 4 refuses entries that nothing needs. */
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

/** `qs@^6.13.0`, or `qs@npm:^6.13.0` → entry. */
type Entries = ReadonlyMap<string, string>;

interface Yarn {
	readonly settings: string;
	readonly entries: Entries;
}

function readYarn(before: string, after: string): Read | null {
	const [base, head] = [parseYarn(before), parseYarn(after)];
	if (base === null || head === null || base.settings !== head.settings) return null;
	const members = ({ entries }: Yarn) => [...entries.keys()].filter(isWorkspace).sort().join('\n');
	if (members(base) !== members(head)) return null;
	const isFirst = head.settings === YARN_1;
	const installed = (lock: Yarn) => [...lock.entries].filter(([wanted]) => !isWorkspace(wanted));
	const differing = installed(head).filter(([wanted, entry]) => (base.entries.get(wanted) ?? entry) !== entry);
	const pairs = (lock: Yarn) =>
		installed(lock).map(
			([wanted, entry]) => [nameOf(wanted), /^ {2}version:? "?([^"\n]*)/m.exec(entry)?.[1] ?? ''] as const,
		);
	const mix = (keeps: Keeps) => {
		const mixed = new Map([...base.entries, ...head.entries]);
		for (const [wanted, was] of base.entries) {
			const is = head.entries.get(wanted);
			if (is !== undefined && isWorkspace(wanted)) mixed.set(wanted, mixNeeds(was, is, keeps));
			else if (!keeps(nameOf(wanted))) mixed.set(wanted, was);
		}
		return isFirst ? mixed : withoutUnneeded(mixed, [base.entries, head.entries]);
	};
	return {
		versions: versionsOf(pairs(base), pairs(head)),
		chosen: new Set(differing.map(([wanted]) => nameOf(wanted))),
		write(keeps) {
			const mixed = mix(keeps);
			const groups = Map.groupBy([...mixed.keys()].sort(), (wanted) => `${nameOf(wanted)}\n${mixed.get(wanted)}`);
			const blocks = [...groups].map(([key, all]) => {
				const keys = isFirst ? all.map((wanted) => JSON.stringify(wanted)).join(', ') : JSON.stringify(all.join(', '));
				return `${keys}:${key.slice(key.indexOf('\n'))}`;
			});
			return `${head.settings}\n\n${isFirst ? '\n' : ''}${blocks.join('\n\n')}\n`;
		},
	};
}

const YARN_1 = '# THIS IS AN AUTOGENERATED FILE. DO NOT EDIT THIS FILE DIRECTLY.\n# yarn lockfile v1';
/** Of Yarn 4. Earlier ones write what a package needs without `npm:`. */
const YARN_4 = /\n__metadata:\n {2}version: 8\n/;
const NEED = /^ {4}"?([^\s":]+)"?: "?([^"\n]+)"?$/gm;
const NEEDS = /^ {2}dependencies:\n(?: {4}.*\n?)*/m;

function parseYarn(text: string): Yarn | null {
	const isFirst = text.includes('\n# yarn lockfile v1');
	if ((!isFirst && !YARN_4.test(text)) || /^(?:[<>=]{7}|\?)/m.test(text)) return null;
	const entries = new Map<string, string>();
	const [header = '', ...blocks] = text.replaceAll('\r\n', '\n').split(/\n(?=[^\s#])/);
	const settings = isFirst ? YARN_1 : `${header}\n${blocks.shift()}`.trimEnd();
	for (const block of blocks) {
		const [first = '', ...lines] = block.trimEnd().split('\n');
		if (!first.endsWith(':') || !lines.every((line) => line.startsWith('  '))) return null;
		for (const wanted of first.slice(0, -1).split(/,\s*/)) entries.set(wanted.replace(/^"|"$/g, ''), lines.join('\n'));
	}
	return { settings, entries };
}

function isWorkspace(wanted: string): boolean {
	return wanted.includes('@workspace:');
}

/** Returns a workspace's entry with what it needs of the kept packages in head, and of others in base. */
function mixNeeds(was: string, is: string, keeps: Keeps): string {
	const needsOf = (entry: string) =>
		new Map([...(NEEDS.exec(entry)?.[0] ?? '').matchAll(NEED)].map(([line, name = '']) => [name, line] as const));
	const [before, after] = [needsOf(was), needsOf(is)];
	const names = [...new Set([...before.keys(), ...after.keys()])].sort();
	const lines = names.flatMap((name) => (keeps(name) ? after : before).get(name) ?? []);
	const needs = lines.length === 0 ? '' : `  dependencies:\n${lines.join('\n')}\n`;
	return `${is}\n`
		.replace(NEEDS, '')
		.replace(/^ {2}resolution: .*\n/m, (line) => line + needs)
		.trimEnd();
}

/** Leaves out entries that something needs in a lockfile and nothing needs now. */
function withoutUnneeded(mixed: Entries, locks: readonly Entries[]): Entries {
	const known = locks.map(neededIn);
	const needed = neededIn(mixed);
	return new Map([...mixed].filter(([wanted]) => needed.has(wanted) || !known.some((all) => all.has(wanted))));
}

function neededIn(entries: Entries): ReadonlySet<string> {
	const patches = Map.groupBy([...entries.keys()], (wanted) => sourceOf(wanted) ?? '');
	const needed = new Set([...entries.keys()].filter(isWorkspace));
	// A set also visits what is added meanwhile.
	for (const wanted of needed) {
		const needs = NEEDS.exec(entries.get(wanted) ?? '')?.[0] ?? '';
		const all = [...needs.matchAll(NEED)].map(([, name, range]) => `${name}@${range}`);
		for (const each of [...all, sourceOf(wanted) ?? '', ...(patches.get(wanted) ?? [])])
			if (entries.has(each)) needed.add(each);
	}
	return needed;
}

/** `qs@patch:qs@npm%3A^6.13.0#…` → `qs@npm:^6.13.0`. Yarn patches some packages by itself. */
function sourceOf(wanted: string): string | undefined {
	const source = /@patch:([^#]+)#/.exec(wanted)?.[1];
	return source?.replaceAll('%3A', ':').replaceAll('%23', '#').replaceAll('%25', '%');
}

function nameOf(wanted: string): string {
	return namesOf([wanted])[0]?.[0] ?? wanted;
}
