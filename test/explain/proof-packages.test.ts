import assert from 'node:assert/strict';
import { test } from 'node:test';
import satisfies from 'semver/functions/satisfies.js';
import type { Piece } from '../../src/explain/proof-part.ts';
import { divide } from '../../src/explain/proof-pieces.ts';
import { widen } from '../../src/explain/proof-search.ts';
import type { ChangedFile } from '../../src/types/difference.ts';

const fits = (version: string, range: string) => satisfies(version, range);

interface Entry {
	readonly version: string;
	readonly dependencies?: Readonly<Record<string, string>>;
}

type Specs = Readonly<Record<string, string>>;

function json(value: unknown) {
	return { mode: '100644', content: Buffer.from(JSON.stringify(value)) } as const;
}

function lock(dependencies: Specs, entries: Readonly<Record<string, Entry>>, lockfileVersion = 3) {
	const packages = Object.fromEntries(
		Object.entries(entries).map(([key, entry]) => [
			`node_modules/${key}`,
			{ ...entry, resolved: `r-${entry.version}` },
		]),
	);
	return json({ name: 'app', lockfileVersion, packages: { '': { name: 'app', dependencies }, ...packages } });
}

/** An app, and both files that an upgrade changes. */
function app(
	base: readonly [Specs, Readonly<Record<string, Entry>>],
	head: readonly [Specs, Readonly<Record<string, Entry>>],
): ChangedFile[] {
	return [
		{
			path: 'package.json',
			base: json({ name: 'app', dependencies: base[0] }),
			head: json({ name: 'app', dependencies: head[0] }),
		},
		{ path: 'package-lock.json', base: lock(...base), head: lock(...head) },
	];
}

function read(changed: readonly ChangedFile[], isApplied: (piece: Piece) => boolean) {
	const versions = new Map(
		divide(changed, fits)
			.compose(isApplied)
			.map(({ path, state }) => [path, state]),
	);
	const textOf = (path: string) => {
		const state = versions.get(path) ?? changed.find((each) => each.path === path)?.head;
		return JSON.parse(Buffer.from(state?.content ?? '').toString());
	};
	const { packages, dependencies } = textOf('package-lock.json');
	return { manifest: textOf('package.json'), packages, legacy: dependencies };
}

const names = (pieces: readonly Piece[]) =>
	pieces.map(({ package: upgraded, kind, path }) =>
		upgraded === null ? `${kind} ${path}` : `${upgraded.name} ${upgraded.base} → ${upgraded.head}`,
	);

const UPGRADES = app(
	[
		{ qs: '^6.13.0', ms: '2.1.2', old: '1.0.0' },
		{
			qs: { version: '6.13.0', dependencies: { side: '^1.0.0' } },
			side: { version: '1.0.0' },
			ms: { version: '2.1.2' },
			old: { version: '1.0.0' },
		},
	],
	[
		{ qs: '^6.14.0', ms: '2.1.3', fresh: '1.0.0' },
		{ qs: { version: '6.14.0' }, ms: { version: '2.1.3' }, fresh: { version: '1.0.0' } },
	],
);

test('each upgraded package is a piece, additions first and removals last', () => {
	assert.deepEqual(names(divide(UPGRADES, fits).pieces), [
		'fresh null → 1.0.0',
		'qs 6.13.0 → 6.14.0',
		'ms 2.1.2 → 2.1.3',
		'old 1.0.0 → null',
		'side 1.0.0 → null',
	]);
});

test("without one upgrade, package.json and the lockfile have base's version and range of that package alone", () => {
	const { manifest, packages } = read(UPGRADES, (piece) => piece.package?.name !== 'qs');
	assert.deepEqual(manifest.dependencies, { qs: '^6.13.0', ms: '2.1.3', fresh: '1.0.0' });
	assert.deepEqual(packages[''].dependencies, manifest.dependencies);
	assert.equal(packages['node_modules/qs'].version, '6.13.0');
	assert.equal(packages['node_modules/qs'].resolved, 'r-6.13.0');
	assert.equal(packages['node_modules/ms'].version, '2.1.3');
	assert.equal(packages['node_modules/old'], undefined);
	// qs 6.13.0 needs it, and head no longer has it.
	assert.equal(packages['node_modules/side'].version, '1.0.0');
});

test("without all upgrades the lockfile equals base's", () => {
	const { manifest, packages } = read(UPGRADES, () => false);
	const base = JSON.parse(Buffer.from(UPGRADES[1]?.base?.content ?? '').toString());
	assert.deepEqual(packages, base.packages);
	assert.deepEqual(manifest.dependencies, { qs: '^6.13.0', ms: '2.1.2', old: '1.0.0' });
});

test('upgrades that need each other conflict, and are removed together', () => {
	const changed = app(
		[
			{ web: '1.0.0' },
			{
				web: { version: '1.0.0', dependencies: { qs: '6.11.0' } },
				qs: { version: '6.11.0' },
				ms: { version: '1.0.0' },
			},
		],
		[
			{ web: '1.1.0' },
			{
				web: { version: '1.1.0', dependencies: { qs: '6.13.0' } },
				qs: { version: '6.13.0' },
				ms: { version: '1.1.0' },
			},
		],
	);
	const division = divide(changed, fits);
	const { pieces, conflicts } = division;
	const named = (name: string) => pieces.find((piece) => piece.package?.name === name) as Piece;
	assert.deepEqual(new Set(conflicts((piece) => piece !== named('web'))), new Set([named('web'), named('qs')]));
	assert.deepEqual(
		conflicts((piece) => piece !== named('ms')),
		[],
	);
	const [alone, together] = widen(division, [named('web')]);
	assert.deepEqual(new Set(names(alone ?? [])), new Set(['web 1.0.0 → 1.1.0', 'qs 6.11.0 → 6.13.0']));
	assert.equal(together, undefined);
});

test('packages that need each other are neighbours, so that others can be applied without them', () => {
	const upgrade = (version: string, needed: string) => ({
		...{ handlebars: { version, dependencies: { wrap: version } }, wrap: { version } },
		...{ accepts: { version, dependencies: { negotiator: version } }, negotiator: { version } },
		...{ bytes: { version }, [needed]: { version } },
	});
	const specs = (version: string) => ({ handlebars: version, accepts: version, bytes: version });
	const { pieces, conflicts } = divide(
		app([specs('1.0.0'), upgrade('1.0.0', 'old')], [specs('2.0.0'), upgrade('2.0.0', 'neo')]),
		fits,
	);
	const order = pieces.map((piece) => piece.package?.name);
	const isBroken = order.map((_, at) => conflicts((piece) => pieces.indexOf(piece) <= at).length > 0);
	assert.deepEqual(order, ['neo', 'handlebars', 'wrap', 'accepts', 'negotiator', 'bytes', 'old']);
	assert.deepEqual(isBroken, [false, true, false, true, false, false, false]);
});

test('a conflict that base or head has too is accepted', () => {
	const unmet = { web: { version: '1.0.0', dependencies: { gone: '1.0.0' } } };
	const changed = app([{}, { ...unmet, ms: { version: '1.0.0' } }], [{}, { ...unmet, ms: { version: '1.1.0' } }]);
	assert.deepEqual(
		divide(changed, fits).conflicts(() => false),
		[],
	);
});

test('the copy for old npm is left out of version 2', () => {
	const [manifest, file] = UPGRADES as [ChangedFile, ChangedFile];
	const older = [
		manifest,
		{
			...file,
			base: lock({ qs: '1.0.0' }, { qs: { version: '1.0.0' } }, 2),
			head: lock({ qs: '1.1.0' }, { qs: { version: '1.1.0' } }, 2),
		},
	];
	const { legacy, packages } = read(older, (piece) => piece.package?.name !== 'qs');
	assert.equal(legacy, undefined);
	assert.equal(packages['node_modules/qs'].version, '1.0.0');
});

test('other keys of package.json are one piece, and a version alone an unlikely one', () => {
	const manifest = (version: string, extra: object) =>
		json({ name: 'app', version, ...extra, dependencies: { a: '1.0.0' } });
	const version = divide([{ path: 'package.json', base: manifest('1.0.0', {}), head: manifest('1.1.0', {}) }], fits);
	assert.deepEqual(
		version.pieces.map(({ kind, weight }) => [kind, weight < 1]),
		[['rest', true]],
	);
	const changed = [{ path: 'package.json', base: manifest('1.0.0', {}), head: manifest('1.0.0', { type: 'module' }) }];
	const division = divide(changed, fits);
	assert.deepEqual(
		division.pieces.map(({ kind, weight }) => [kind, weight < 1]),
		[['rest', false]],
	);
	assert.deepEqual(JSON.parse(Buffer.from(division.compose(() => false)[0]?.state?.content ?? '').toString()), {
		name: 'app',
		version: '1.0.0',
		dependencies: { a: '1.0.0' },
	});
});

test("another manager's lockfile is one piece with the ranges", () => {
	const manifest = (a: string, b: string) => json({ dependencies: { a, b } });
	const text = (content: string) => ({ mode: '100644', content: Buffer.from(content) }) as const;
	const changed: ChangedFile[] = [
		{ path: 'package.json', base: manifest('1.0.0', '1.0.0'), head: manifest('1.1.0', '1.1.0') },
		{ path: 'pnpm-lock.yaml', base: text('old'), head: text('new') },
	];
	const division = divide(changed, fits);
	assert.deepEqual(names(division.pieces), ['file pnpm-lock.yaml']);
	assert.deepEqual(
		division.compose(() => false).map(({ path }) => path),
		['package.json', 'pnpm-lock.yaml'],
	);
	assert.match(division.notes.join(), /pnpm-lock.yaml was taken as one piece/);
});

test('a hostile lockfile is an ordinary file', () => {
	for (const text of [
		'{',
		'[]',
		'{"lockfileVersion":3,"packages":{"a":null}}',
		'{"lockfileVersion":3,"packages":7}',
		'{"__proto__":{"lockfileVersion":3}}',
	]) {
		const changed: ChangedFile[] = [
			{
				path: 'package-lock.json',
				base: json({ lockfileVersion: 3, packages: {} }),
				head: { mode: '100644', content: Buffer.from(text) },
			},
		];
		assert.deepEqual(names(divide(changed, fits).pieces), ['file package-lock.json']);
	}
});
