/** Finds GET routes of Python frameworks, with the prefixes under which their routers are mounted. */

type Sources = readonly (readonly [file: string, text: string])[];

const TEXT = String.raw`[rf]?(['"])([^'"\n]*)`;
const DECORATED = new RegExp(
	String.raw`@(?:(\w+)\.)?(?:route|get)\(\s*(?:(?:path|rule)\s*=\s*)?${TEXT}\2([^)\n]*)\)`,
	'g',
);
const ADDED = /\b(?:web\.get|add_get|add_url_rule|add_route)\(\s*(['"])(\/[^'"\n]*)\1/g;
const RESOURCE = /\b(\w+)\.add_resource\(\s*\w+\s*,\s*(['"])(\/[^'"\n]*)\2/g;
const LISTED = /\bRoute\(\s*(['"])(\/[^'"\n]*)\1([^\n]*)/g;
const COMPARED = /\bpath\s*[!=]=\s*(['"])(\/[^'"\n]*)\1/g;
const ROUTER = /^[ \t]*(\w+)\s*(?::[^=\n]+)?=\s*(?:\w+\.)?(?:APIRouter|Blueprint|Api)\(([^)]*)\)/gm;
const MOUNT = /\b(?:include_router|register_blueprint)\(\s*([\w.]+)([^)]*)\)/g;
const PREFIX = /\b(?:url_)?prefix\s*=\s*(?:f?(['"])([^'"\n{]*)\1|([\w.]+))/;
const FROM = /^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]+)/gm;
const DJANGO =
	/\b(?:re_)?(?:path|url)\(\s*r?(['"])([^'"\n]*)\1\s*,\s*(?:include\(\s*\(?\s*(?:(['"])([\w.]+)\3|(\w+)\.urls))?/g;
const REGISTERED = /\b(\w+)\.register\(\s*r?(['"])([^'"\n]*)\2/g;

/** Returns each route once, in order. A router that is never mounted has no routes if others are. */
export function findPythonRoutes(sources: Sources, program: string): readonly string[] {
	const files = new Map(sources);
	const literal = (name: string) => {
		const last = name.split('.').at(-1) ?? '';
		const assigned = new RegExp(String.raw`\b${last}\s*(?::\s*\w+\s*)?=\s*(['"])(\/[^'"\n]*)\1`);
		return sources.map(([, text]) => assigned.exec(text)?.[2]).find((value) => value !== undefined);
	};
	const prefixIn = (text: string): string | undefined => {
		const [, , written, name] = PREFIX.exec(text) ?? [];
		return written ?? (name === undefined ? '' : literal(name));
	};
	const own = new Map<string, string | undefined>();
	const parents = new Map<string, { readonly parent: string; readonly prefix: string | undefined }>();
	for (const [file, text] of sources) {
		const imports = importsOf(file, text, files);
		for (const [, name = '', words = ''] of text.matchAll(ROUTER)) own.set(`${file}#${name}`, prefixIn(words));
		for (const { index, 1: mounted = '', 2: words = '' } of text.matchAll(MOUNT)) {
			const [, receiver = ''] = /(\w+)\s*\.\s*$/.exec(text.slice(0, index)) ?? [];
			const child = resolve(mounted, imports, files) ?? `${file}#${mounted}`;
			if (!parents.has(child))
				parents.set(child, {
					parent: resolve(receiver, imports, files) ?? `${file}#${receiver}`,
					prefix: prefixIn(words),
				});
		}
	}
	const prefixOf = (router: string, depth = 0): string | null => {
		if (depth > 8) return null;
		const above = parents.get(router);
		const isRouter = own.has(router);
		if (isRouter && above === undefined && parents.size > 0) return null;
		const around = above === undefined ? '' : prefixOf(above.parent, depth + 1);
		const ownPrefix = isRouter ? own.get(router) : '';
		if (around === null || ownPrefix === undefined || (above !== undefined && above.prefix === undefined)) return null;
		return joinPaths(joinPaths(around, above?.prefix ?? ''), ownPrefix);
	};
	const routes = sources.flatMap(([file, text]) => {
		const placed: { readonly at: number; readonly route: string }[] = [];
		const add = (at: number, receiver: string, route: string) => {
			const prefix = receiver === '' ? '' : prefixOf(`${file}#${receiver}`);
			const whole = prefix === null ? '' : joinPaths(prefix, route);
			if (whole.startsWith('/')) placed.push({ at, route: whole });
		};
		for (const { index, 1: receiver = '', 3: route = '', 4: words = '' } of text.matchAll(DECORATED)) {
			const methods = /\bmethods?\s*=\s*([[(]?[^\])]*)/.exec(words)?.[1];
			if (methods === undefined || /GET/i.test(methods)) add(index, receiver, route);
		}
		for (const { index, 1: receiver = '', 3: route = '' } of text.matchAll(RESOURCE)) add(index, receiver, route);
		for (const { index, 2: route = '', 3: words = '' } of text.matchAll(LISTED)) {
			if (!/\bmethods\s*=/.test(words) || /GET/.test(words)) add(index, '', route);
		}
		for (const { index, 2: route = '' } of text.matchAll(ADDED)) add(index, '', route);
		if (file === program) for (const { index, 2: route = '' } of text.matchAll(COMPARED)) add(index, '', route);
		return placed.toSorted((one, other) => one.at - other.at).map(({ route }) => route);
	});
	return [...new Set([...routes, ...djangoRoutes(files)])];
}

function joinPaths(prefix: string, inside: string): string {
	return inside === '' ? prefix : `${prefix.replace(/\/+$/, '')}/${inside.replace(/^\/+/, '')}`;
}

function djangoRoutes(files: ReadonlyMap<string, string>): string[] {
	const settings = [...files.values()].map((text) => /\bROOT_URLCONF\s*=\s*(['"])([\w.]+)\1/.exec(text)?.[2]);
	const root = settings.find((name) => name !== undefined);
	const follow = (module: string, prefix: string, depth: number): string[] => {
		const file = fileOf(module, files);
		const text = file === null ? undefined : files.get(file);
		if (text === undefined || depth > 5) return [];
		const slash = /trailing_slash\s*=\s*False/.test(text) ? '' : '/';
		return [...text.matchAll(DJANGO)].flatMap(([, , written = '', , included, router]) => {
			const route = written.replace(/^\^|\$$/g, '').replace(/\/\?$/, '');
			if (/^admin\//.test(route)) return [];
			const whole = prefix + route;
			const registered = [...text.matchAll(REGISTERED)].filter(([, name]) => name === router);
			if (registered.length > 0) return registered.map(([, , , name = '']) => `/${whole}${name}${slash}`);
			return included === undefined ? [`/${whole}`] : follow(included, whole, depth + 1);
		});
	};
	return root === undefined ? [] : follow(root, '', 0);
}

function importsOf(file: string, text: string, files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
	const imports = new Map<string, string>();
	for (const [, from = '', words = ''] of text.matchAll(FROM)) {
		const [, dots = '', rest = ''] = /^(\.*)(.*)$/.exec(from) ?? [];
		const folder = file.split('/').slice(0, -dots.length || undefined);
		const module = dots === '' ? rest : [...folder, ...(rest === '' ? [] : rest.split('.'))].join('.');
		for (const word of words.replace(/[()]/g, '').split(',')) {
			const [, name = '', , alias = name] = /^\s*(\w+)(\s+as\s+(\w+))?/.exec(word) ?? [];
			const whole = fileOf(module === '' ? name : `${module}.${name}`, files);
			const inside = fileOf(module, files);
			if (whole !== null) imports.set(alias, whole);
			else if (inside !== null) imports.set(alias, `${inside}#${name}`);
		}
	}
	return imports;
}

function resolve(
	name: string,
	imports: ReadonlyMap<string, string>,
	files: ReadonlyMap<string, string>,
): string | undefined {
	const [first = '', ...attributes] = name.split('.');
	const found = imports.get(first);
	if (found === undefined) return undefined;
	let file = found.replace(/#.*/, '');
	while (attributes.length > 1 && file.endsWith('/__init__.py')) {
		const inside = fileOf(`${file.slice(0, -'/__init__.py'.length)}/${attributes.shift()}`, files);
		if (inside === null) return undefined;
		file = inside;
	}
	return attributes.length === 0 ? found : `${file}#${attributes.join('.')}`;
}

function fileOf(module: string, files: ReadonlyMap<string, string>): string | null {
	const path = module.replaceAll('.', '/');
	const names = [`${path}.py`, `${path}/__init__.py`];
	return names.flatMap((name) => [name, `src/${name}`]).find((name) => files.has(name)) ?? null;
}
