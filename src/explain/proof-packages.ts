/** Divides upgrades into packages. */
import { parseJson } from '../text/json.ts';
import type { ChangedFile, FileState, FileVersion } from '../types/difference.ts';
import { type MixableLock, readMixable } from './proof-lockfiles.ts';
import { type Part, type Piece, UNLIKELY, wholePiece } from './proof-part.ts';

export type Satisfies = (version: string, range: string) => boolean;

type Json = Readonly<Record<string, unknown>>;

interface Document<T> {
	readonly path: string;
	/** With a final slash; '' at the top. */
	readonly folder: string;
	readonly base: T;
	readonly head: T;
	readonly mode: FileState['mode'];
}

interface LockEntry extends Json {
	readonly version?: string;
	readonly resolved?: string;
	readonly link?: boolean;
	readonly dev?: boolean;
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Lock extends Json {
	readonly packages: Readonly<Record<string, LockEntry>>;
}

const GROUPS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;
const NPM_LOCK = /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/;
const OTHER_LOCK = /(?:^|\/)(?:pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$/;
const MANIFEST = /(?:^|\/)package\.json$/;
const MODULES = 'node_modules/';
/** Added and removed packages are used by another piece. */
const SUPPORTING = 0.1;

export interface DividedPackages {
	readonly part: Part | null;
	readonly rest: readonly ChangedFile[];
	readonly notes: readonly string[];
}

/** Together, because `npm ci` refuses a lockfile that does not fit its package.json. */
export function dividePackages(files: readonly ChangedFile[], satisfies: Satisfies): DividedPackages {
	const manifests = files.flatMap((file) => (MANIFEST.test(file.path) ? readDocument(file) : []));
	const locks = files.flatMap((file) => (NPM_LOCK.test(file.path) ? readLock(file) : []));
	const mixable = files.flatMap((file) => readMixable(file) ?? []);
	const used = [...manifests, ...locks, ...mixable].map(({ path }) => path);
	const whole = files.filter(({ path }) => (OTHER_LOCK.test(path) || NPM_LOCK.test(path)) && !used.includes(path));
	const rest = files.filter((file) => !used.includes(file.path) && !whole.includes(file));
	if (used.length === 0 && whole.length === 0) return { part: null, rest, notes: [] };
	const packages = new Packages(manifests, locks, mixable, satisfies);
	const [first] = whole;
	if (first === undefined) return { part: packages.part(), rest, notes: [] };
	const part = joined(packages.part(), whole);
	const notes = [
		`${first.path} was taken as one piece: only lockfiles of npm (version 2 and 3), pnpm (9) and yarn (1 and 4), with the same settings on both sides, are divided.`,
	];
	return { part, rest, notes };
}

function joined(part: Part, whole: readonly ChangedFile[]): Part {
	const [first] = whole as readonly [ChangedFile];
	const dependencies = part.pieces.filter(({ kind }) => kind === 'package');
	const others = part.pieces.filter((piece) => !dependencies.includes(piece));
	const lock = wholePiece({ path: first.path, kind: 'file', change: 'changed' });
	return {
		pieces: [lock, ...others],
		compose(isApplied) {
			const versions = part.compose((piece) => isApplied(dependencies.includes(piece) ? lock : piece));
			return isApplied(lock) ? versions : [...versions, ...whole.map(({ path, base }) => ({ path, state: base }))];
		},
	};
}

function readDocument({ path, base, head }: ChangedFile): Document<Json>[] {
	const [before, after] = [parseObject(base), parseObject(head)];
	if (before === null || after === null || head === null) return [];
	const folder = path.slice(0, path.lastIndexOf('/') + 1);
	return [{ path, folder, base: before, head: after, mode: head.mode }];
}

function readLock(file: ChangedFile): Document<Lock>[] {
	return readDocument(file).filter(
		(document): document is Document<Lock> => isLock(document.base) && isLock(document.head),
	);
}

function isLock({ lockfileVersion, packages }: Json): boolean {
	const isKnown = lockfileVersion === 2 || lockfileVersion === 3;
	return isKnown && isObject(packages) && Object.values(packages).every(isObject);
}

function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseObject(state: FileState | null): Json | null {
	if (state === null || state.mode === '120000') return null;
	try {
		const value = parseJson(Buffer.from(state.content).toString('utf8'));
		return isObject(value) ? value : null;
	} catch {
		return null;
	}
}

/** `node_modules/a/node_modules/@b/c` → `@b/c`; null for the root and workspaces. */
function nameOf(key: string): string | null {
	const start = key.lastIndexOf(MODULES);
	return start < 0 ? null : key.slice(start + MODULES.length);
}

class Packages {
	readonly #manifests: readonly Document<Json>[];
	readonly #locks: readonly Document<Lock>[];
	readonly #mixable: readonly MixableLock[];
	readonly #satisfies: Satisfies;
	readonly #byName = new Map<string, Piece>();
	readonly #rests = new Map<Document<Json>, Piece>();
	/** npm accepts those of base and head. */
	readonly #accepted = new Map<Document<Lock>, ReadonlySet<string>>();

	constructor(
		manifests: readonly Document<Json>[],
		locks: readonly Document<Lock>[],
		mixable: readonly MixableLock[],
		satisfies: Satisfies,
	) {
		this.#manifests = manifests;
		this.#locks = locks;
		this.#mixable = mixable;
		this.#satisfies = satisfies;
		for (const manifest of manifests) this.#addManifest(manifest);
		for (const lock of locks) this.#addLock(lock);
		for (const lock of mixable) this.#addMixable(lock);
		for (const lock of locks) {
			const known = [lock.base, lock.head].flatMap(({ packages }) => this.#conflictsIn(packages).map(textOf));
			this.#accepted.set(lock, new Set(known));
		}
	}

	part(): Part {
		return {
			pieces: [...this.#byName.values(), ...this.#rests.values()],
			compose: (isApplied) => this.#compose(isApplied),
			conflicts: (isApplied) => this.#conflicts(isApplied),
		};
	}

	#addManifest(manifest: Document<Json>): void {
		const { path, base, head } = manifest;
		for (const group of GROUPS) {
			const [before, after] = [specsOf(base, group), specsOf(head, group)];
			for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
				if (before[name] === after[name]) continue;
				const weight = group === 'devDependencies' ? UNLIKELY : 1;
				this.#add(path, name, before[name] ?? null, after[name] ?? null, weight);
			}
		}
		const [before, after] = [base, head].map((each) => JSON.stringify(withoutGroups(each)));
		if (before === after) return;
		const sameButVersion = JSON.stringify({ ...withoutGroups(base), version: '' });
		const isVersion = sameButVersion === JSON.stringify({ ...withoutGroups(head), version: '' });
		const rest = wholePiece({ path, kind: 'rest', change: 'changed', ...(isVersion && { weight: UNLIKELY }) });
		this.#rests.set(manifest, rest);
	}

	#addLock({ path, base, head }: Document<Lock>): void {
		const [before, after] = [entriesOf(base.packages), entriesOf(head.packages)];
		for (const name of new Set([...before.keys(), ...after.keys()])) {
			const [was, is] = [before.get(name), after.get(name)];
			if (was?.places === is?.places) continue;
			const isDev = (was?.isDev ?? true) && (is?.isDev ?? true);
			const weight = isDev ? UNLIKELY : was && is && was.versions !== is.versions ? 1 : SUPPORTING;
			this.#add(path, name, was?.versions ?? null, is?.versions ?? null, weight);
		}
	}

	#addMixable({ path, chosen, versions }: MixableLock): void {
		for (const name of new Set([...chosen, ...versions.keys()])) {
			const known = this.#byName.get(name);
			if (known === undefined && !chosen.has(name)) continue;
			const { base = null, head = null } = versions.get(name) ?? {};
			this.#add(path, name, base, head, known?.weight ?? 1);
		}
	}

	#add(path: string, name: string, base: string | null, head: string | null, weight: number): void {
		const known = this.#byName.get(name)?.package;
		const both = { name, base: base ?? known?.base ?? null, head: head ?? known?.head ?? null };
		const change = both.base === null ? 'added' : both.head === null ? 'deleted' : 'changed';
		this.#byName.set(name, wholePiece({ path, kind: 'package', change, package: both, weight }));
	}

	#compose(isApplied: (piece: Piece) => boolean): FileVersion[] {
		const { keeps, manifests, locks } = this.#merge(isApplied);
		return [
			...manifests
				.filter(({ manifest, json }) => json !== manifest.head)
				.map(({ manifest, json }) => versionOf(manifest, json)),
			...locks
				.filter(({ lock, packages }) => packages !== lock.head.packages)
				.map(({ lock, packages }) => {
					// A copy for old npm.
					const { dependencies: _, ...head } = lock.head;
					return versionOf(lock, { ...head, lockfileVersion: 3, packages });
				}),
			...this.#mixable
				.filter(({ chosen, versions }) => ![...chosen, ...versions.keys()].every(keeps))
				.map(({ path, mode, write }) => ({ path, state: { mode, content: Buffer.from(write(keeps)) } })),
		];
	}

	#merge(isApplied: (piece: Piece) => boolean) {
		const keeps = (name: string) => {
			const piece = this.#byName.get(name);
			return piece === undefined || isApplied(piece);
		};
		const manifests = this.#manifests.map((manifest) => ({
			manifest,
			json: this.#manifest(manifest, keeps, isApplied),
		}));
		const locks = this.#locks.map((lock) => ({ lock, packages: this.#packages(lock, keeps, manifests) }));
		return { keeps, manifests, locks };
	}

	#manifest(manifest: Document<Json>, keeps: (name: string) => boolean, isApplied: (piece: Piece) => boolean): Json {
		const { base, head } = manifest;
		const rest = this.#rests.get(manifest);
		const names = GROUPS.flatMap((group) => [
			...Object.keys(specsOf(base, group)),
			...Object.keys(specsOf(head, group)),
		]);
		if (names.every(keeps) && (rest === undefined || isApplied(rest))) return head;
		const groups = GROUPS.flatMap((group) => {
			const merged = merge(specsOf(base, group), specsOf(head, group), keeps);
			return Object.keys(merged).length === 0 ? [] : [[group, merged] as const];
		});
		const kept = withoutGroups(rest === undefined || isApplied(rest) ? head : base);
		return { ...kept, ...Object.fromEntries(groups) };
	}

	#packages(
		lock: Document<Lock>,
		keeps: (name: string) => boolean,
		manifests: readonly { readonly manifest: Document<Json>; readonly json: Json }[],
	): Lock['packages'] {
		const { base, head, folder } = lock;
		const names = [...entriesOf(base.packages).keys(), ...entriesOf(head.packages).keys()];
		const changed = manifests.filter(
			({ manifest, json }) => json !== manifest.head && manifest.folder.startsWith(folder),
		);
		if (names.every(keeps) && changed.length === 0) return head.packages;
		const ofName = (name: string | null) => (name === null || keeps(name) ? head : base);
		const keys = [...new Set([...Object.keys(head.packages), ...Object.keys(base.packages)])];
		const packages: Record<string, LockEntry> = {};
		for (const key of keys) {
			const entry = ofName(nameOf(key)).packages[key];
			if (entry !== undefined) packages[key] = entry;
		}
		for (const { manifest, json } of changed) {
			const key = manifest.folder.slice(folder.length).replace(/\/$/, '');
			const entry = packages[key];
			if (entry === undefined) continue;
			const {
				dependencies: _0,
				devDependencies: _1,
				optionalDependencies: _2,
				peerDependencies: _3,
				...others
			} = entry;
			const groups = GROUPS.flatMap((group) => (json[group] === undefined ? [] : [[group, json[group]] as const]));
			packages[key] = { ...others, ...Object.fromEntries(groups) };
		}
		this.#restoreNeeded(packages, base.packages);
		return packages;
	}

	#restoreNeeded(packages: Record<string, LockEntry>, base: Lock['packages']): void {
		for (let round = 0; round < MOST_ROUNDS; round++) {
			const missing = this.#conflictsIn(packages).filter(({ found }) => found === null);
			const keys = Object.keys(base).filter(
				(key) => packages[key] === undefined && missing.some(({ name }) => nameOf(key) === name),
			);
			if (keys.length === 0) return;
			for (const key of keys) packages[key] = base[key] as LockEntry;
		}
	}

	#conflicts(isApplied: (piece: Piece) => boolean): readonly Piece[] {
		const names = new Set<string>();
		for (const { lock, packages } of this.#merge(isApplied).locks) {
			for (const conflict of this.#conflictsIn(packages)) {
				if (this.#accepted.get(lock)?.has(textOf(conflict))) continue;
				for (const name of [conflict.name, nameOf(conflict.by)]) if (name !== null) names.add(name);
			}
		}
		return [...names].flatMap((name) => this.#byName.get(name) ?? []);
	}

	#conflictsIn(packages: Lock['packages']): Conflict[] {
		const conflicts: Conflict[] = [];
		for (const [by, { dependencies = {}, optionalDependencies = {}, link }] of Object.entries(packages)) {
			if (link) continue;
			for (const [name, range] of Object.entries(dependencies)) {
				if (name in optionalDependencies) continue;
				const found = resolve(packages, by, name);
				const version = found?.link ? undefined : found?.version;
				if (found === null || (version !== undefined && !this.#satisfies(version, range)))
					conflicts.push({ by, name, range, found: version ?? null });
			}
		}
		return conflicts;
	}
}

const MOST_ROUNDS = 10;

interface Conflict {
	readonly by: string;
	readonly name: string;
	readonly range: string;
	readonly found: string | null;
}

function textOf({ by, name, range, found }: Conflict): string {
	return `${by} ${name} ${range} ${found}`;
}

/** Searches upwards, as Node does. */
function resolve(packages: Lock['packages'], from: string, name: string): LockEntry | null {
	for (let at = from; ; ) {
		const found = packages[at === '' ? `${MODULES}${name}` : `${at}/${MODULES}${name}`];
		if (found !== undefined) return found;
		if (at === '') return null;
		const parent = at.lastIndexOf(`/${MODULES}`);
		at = parent < 0 ? '' : at.slice(0, parent);
	}
}

interface Entries {
	readonly versions: string;
	readonly places: string;
	readonly isDev: boolean;
}

function entriesOf(packages: Lock['packages']): ReadonlyMap<string, Entries> {
	const named = Object.entries(packages).flatMap(([key, entry]) => {
		const name = nameOf(key);
		return name === null
			? []
			: [{ name, key, version: entry.version ?? entry.resolved ?? '', dev: entry.dev === true }];
	});
	const groups = [...Map.groupBy(named, ({ name }) => name)];
	return new Map(
		groups.map(([name, all]) => [
			name,
			{
				versions: [...new Set(all.map(({ version }) => version))].sort().join(', '),
				places: JSON.stringify(all.map(({ key, version }) => [key, version]).sort()),
				isDev: all.every(({ dev }) => dev),
			},
		]),
	);
}

function specsOf(manifest: Json, group: (typeof GROUPS)[number]): Readonly<Record<string, string>> {
	const specs = manifest[group];
	if (!isObject(specs)) return {};
	return Object.fromEntries(
		Object.entries(specs).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
	);
}

function withoutGroups(manifest: Json): Json {
	return Object.fromEntries(Object.entries(manifest).filter(([key]) => !(GROUPS as readonly string[]).includes(key)));
}

function merge(
	base: Readonly<Record<string, string>>,
	head: Readonly<Record<string, string>>,
	keeps: (name: string) => boolean,
): Readonly<Record<string, string>> {
	const merged: [string, string][] = [];
	for (const name of new Set([...Object.keys(head), ...Object.keys(base)])) {
		const spec = (keeps(name) ? head : base)[name];
		if (spec !== undefined) merged.push([name, spec]);
	}
	return Object.fromEntries(merged);
}

function versionOf({ path, mode }: Document<Json>, json: Json): FileVersion {
	return { path, state: { mode, content: Buffer.from(`${JSON.stringify(json, null, 2)}\n`) } };
}
