import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { NOTHING_TO_DO } from '../config-parts.ts';
import { findDatabase } from '../databases.ts';
import { healthIn, type Service } from '../find-service.ts';
import { splitWords } from '../unwrap-command.ts';
import { findWritten } from '../written-commands.ts';
import { listSources } from './list-sources.ts';

const PROGRAM = /^(?:(?:src|app|api|\w+)\/)?(?:server|app|main|api|asgi|wsgi|autoapp|run|application|__main__)\.py$/;
const APPLICATION = /^(\w+)(?:\s*:\s*\w+)?\s*=\s*(?:\w+\.)?(FastAPI|Starlette|Litestar|Quart|Flask|FastHTML|Sanic)\(/m;
const MAKERS = '(?:create|make|get|build|init|setup)_(?:app|application|wsgi_application|asgi_application)';
const MADE = new RegExp(`^(\\w+)(?:\\s*:\\s*\\w+)?\\s*=\\s*(?:\\w+\\.)?${MAKERS}\\(`, 'm');
const FACTORY = new RegExp(`^def\\s+(${MAKERS})\\(`, 'm');
const IS_ASGI = /\b(?:FastAPI|Starlette|Litestar|Quart|FastHTML)\(|\bget_asgi_application\(/;
const SERVES =
	/\bserve_forever\(|\bweb\.run_app\(|\buvicorn\.run\(|\bwaitress\.serve\(|\bserve\(app\b|\brun\([^)]*\bport\s*=|\.create_server\(|\bapp\.run\(|\.listen\(/;
const READS_PORT = /\benviron(?:\.get\(\s*|\s*\[\s*)['"]PORT['"]|\bgetenv\(\s*['"]PORT['"]/;
const OWN_PORT = /\bport\s*=\s*\d{2,5}\b|\(\s*['"][\w.]*['"]\s*,\s*\d{2,5}\s*\)/i;
const COMMENT = /(?<=^|\s)#.*$/gm;

const OWN = '.venv/bin/python';
const UV_ABOVE = '../uv.lock';
const INSTALL = `python3 -m venv .venv && ${OWN} -m pip install --quiet`;

export async function findPython(cwd: string): Promise<Service | null> {
	const sources = [...(await listSources(cwd, '.py'))].map(
		([file, text]) => [file, text.replace(COMMENT, '')] as const,
	);
	const files = await readRequirements(cwd);
	const written = (await findWritten(cwd)).flatMap(({ from, command }) => {
		const target = targetOf(command, sources);
		return target === null ? [] : [{ ...target, reason: `its ${from} starts it` }];
	});
	const depth = (file: string) => file.split('/').length;
	const programs = sources
		.filter(([file]) => PROGRAM.test(file))
		.toSorted(([one], [other]) => depth(one) - depth(other));
	const application =
		programs.find(([, text]) => APPLICATION.test(text) || MADE.test(text)) ??
		programs.find(([, text]) => FACTORY.test(text));
	// An installable package may contain a part that can serve. That alone does not make it a program.
	const isLibrary = sources.some(([file]) => file === 'setup.py');
	const candidates = isLibrary ? programs : [...programs, ...sources.filter(([file]) => !file.includes('/'))];
	const script = candidates.find(([, text]) => SERVES.test(text));
	const django = findDjango(sources, files.text);
	const [found] = written;
	const target = found ?? django ?? (application === undefined ? null : applicationIn(application, sources));
	const file = target?.file ?? script?.[0];
	if (file === undefined) return null;
	// A subfolder that has its own requirements is a separate service.
	const beside =
		file.includes('/') && files.names.size === 0 ? await readRequirements(path.join(cwd, path.dirname(file))) : files;
	if (beside.names.size > files.names.size) return null;
	const text = sources.find(([name]) => name === file)?.[1] ?? '';
	const routes = findPythonRoutes(sources, file);
	const install = findInstall(files);
	const started = target === null ? null : startTarget(target, files.text);
	const itself = script !== undefined && READS_PORT.test(script[1]) ? script[0] : null;
	// A program that reads PORT is preferred to a development server.
	const run =
		started === null || (started.development && itself !== null)
			? { argv: itself ?? file, development: false }
			: started;
	const migrate = sources.some(([name]) => name === 'manage.py')
		? `${install.python} manage.py migrate`
		: (await readFile(path.join(cwd, 'alembic.ini')).catch(() => null)) === null
			? undefined
			: `${install.python} -m alembic upgrade head`;
	return {
		command: `exec ${install.python} ${run.argv}`,
		prepare: install.prepare,
		reason: found?.reason ?? `${file} has it`,
		routes,
		health: healthIn(routes),
		database: findDatabase(packagesOf(files.text), migrate),
		readsPort: run === started || READS_PORT.test(text) ? true : OWN_PORT.test(text) ? false : null,
		...(run.development && { notes: [DEVELOPMENT] }),
	};
}

interface Target {
	readonly file: string;
	readonly module: string;
	readonly name: string;
	readonly isFactory: boolean;
	readonly isAsgi: boolean;
	readonly folder: string;
}

function targetOf(command: string, sources: readonly (readonly [string, string])[]): Target | null {
	const words = splitWords(command);
	const at = words.findIndex((word) =>
		/^(?:gunicorn|uvicorn|hypercorn|daphne|waitress-serve|granian)$/.test(path.posix.basename(word)),
	);
	const [, module, name = 'app', call] =
		words
			.slice(at)
			.map((word) => /^([A-Za-z_][\w.]*):(\w+)(\(\))?$/.exec(word))
			.find((match) => match !== null) ?? [];
	if (at < 0 || module === undefined) return null;
	const folder = /(?:--chdir|--app-dir)[=\s]+([\w./-]+)/.exec(command)?.[1]?.replace(/^\.\//, '') ?? '.';
	const path_ = path.posix.join(folder, module.replaceAll('.', '/'));
	const file = [`${path_}.py`, `${path_}/__init__.py`, `src/${path_}.py`].find((each) =>
		sources.some(([known]) => known === each),
	);
	if (file === undefined) return null;
	const isAsgi = /uvicorn|hypercorn|daphne/.test(command) || isAsgiIn(file, sources);
	const isFactory = call !== undefined || /--factory/.test(command);
	return { file, module, name, isFactory, isAsgi, folder: file.startsWith('src/') && folder === '.' ? 'src' : folder };
}

function isAsgiIn(file: string, sources: readonly (readonly [string, string])[]): boolean {
	const text = sources.find(([name]) => name === file)?.[1] ?? '';
	if (IS_ASGI.test(text)) return true;
	return !/\bFlask\(|get_wsgi_application/.test(text) && sources.some(([, other]) => IS_ASGI.test(other));
}

function applicationIn(
	[file, text]: readonly [string, string],
	sources: readonly (readonly [string, string])[],
): Target {
	const [, name = ''] = APPLICATION.exec(text) ?? MADE.exec(text) ?? [];
	const factory = name === '' ? FACTORY.exec(text)?.[1] : undefined;
	// Outside a package, Python resolves imports relative to "src".
	const folder = file.startsWith('src/') ? 'src' : '.';
	const module = file
		.slice(folder === '.' ? 0 : 'src/'.length, -'.py'.length)
		.replaceAll('/', '.')
		.replace(/\.__init__$/, '');
	return {
		file,
		module,
		folder,
		name: factory ?? name,
		isFactory: factory !== undefined,
		isAsgi: isAsgiIn(file, sources),
	};
}

function findDjango(sources: readonly (readonly [string, string])[], requirements: string): Target | null {
	const isDjango = sources.some(([file]) => file === 'manage.py') && /(?:^|["'\s])django\b/im.test(requirements);
	const wsgi = sources.find(([, text]) => /^application\s*=\s*get_wsgi_application\(/m.test(text));
	if (!isDjango || wsgi === undefined) return null;
	const module = wsgi[0].slice(0, -'.py'.length).replaceAll('/', '.');
	return { file: wsgi[0], module, name: 'application', isFactory: false, isAsgi: false, folder: '.' };
}

const DEVELOPMENT =
	'It is started with the development server of its framework, which closes every connection, so connecting is much of what is measured: where gunicorn or waitress is among its requirements, init starts that.';

interface Requirements {
	readonly names: ReadonlySet<string>;
	readonly text: string;
}

async function readRequirements(cwd: string): Promise<Requirements> {
	const names = ['requirements.txt', 'pyproject.toml', 'uv.lock', 'poetry.lock'];
	const read = await Promise.all(names.map((name) => readFile(path.join(cwd, name), 'utf8').catch(() => null)));
	const named = [...read.join('\n').matchAll(/^-r\s+([\w./-]+)/gm)].map(([, name = '']) => name);
	const included = named.map((name) => readFile(path.join(cwd, name), 'utf8').catch(() => ''));
	const text = [...read, ...(await Promise.all(included))].join('\n');
	const there = names.filter((_, at) => read[at] !== null);
	return { names: new Set((await isLockedAbove(cwd)) ? [...there, UV_ABOVE] : there), text };
}

async function isLockedAbove(cwd: string): Promise<boolean> {
	const lock = await readFile(path.join(cwd, UV_ABOVE), 'utf8').catch(() => '');
	const members = [...lock.matchAll(/^source = \{ (?:editable|virtual) = "([^"]+)" \}/gm)].map(([, member]) => member);
	return members.includes(path.basename(path.resolve(cwd)));
}

function findInstall({ names, text }: Requirements): { readonly prepare: string; readonly python: string } {
	const uv = 'uv sync --frozen --no-dev';
	if (names.has('uv.lock')) return { prepare: uv, python: OWN };
	if (names.has(UV_ABOVE)) return { prepare: uv, python: `../${OWN}` };
	if (names.has('poetry.lock')) {
		return { prepare: 'POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --only main --no-root', python: OWN };
	}
	const extra = findExtra(text);
	const project = extra === null ? '.' : `'.[${extra}]'`;
	const what = names.has('requirements.txt') ? '-r requirements.txt' : /^\[project\]/m.test(text) ? project : null;
	return what === null ? { prepare: NOTHING_TO_DO, python: 'python3' } : { prepare: `${INSTALL} ${what}`, python: OWN };
}

/** The optional group of a project that alone names a server. */
function findExtra(project: string): string | null {
	const server = /["'](?:gunicorn|uvicorn|waitress)\b/;
	const lists = (text: string) => [...text.matchAll(/^([\w-]+)\s*=\s*\[([^[\]]*(?:\[[^\]]*\][^[\]]*)*)\]/gm)];
	const [before = '', optional = ''] = project.split(/^\[project\.optional-dependencies\]$/m);
	if (lists(before).some(([, name, list = '']) => name === 'dependencies' && server.test(list))) return null;
	const [section = ''] = optional.split(/^\[/m);
	return lists(section).find(([, , list = '']) => server.test(list))?.[1] ?? null;
}

function startTarget({ file, module, name, isFactory, isAsgi, folder }: Target, requirements: string) {
	const place = '--host "$HOST" --port "$PORT"';
	if (isAsgi) {
		const options = `${folder === '.' ? '' : ` --app-dir ${folder}`}${isFactory ? ' --factory' : ''}`;
		return { argv: `-m uvicorn ${module}:${name}${options} ${place} --no-access-log`, development: false };
	}
	const wsgi = `${module}:${isFactory ? `${name}()` : name}`;
	const isThere = (server: string) => new RegExp(`(?:^|["'\\s])${server}\\b`, 'mi').test(requirements);
	if (isThere('gunicorn')) {
		const options = folder === '.' ? '' : ` --chdir ${folder}`;
		// Workers of gunicorn's default class close every connection.
		return {
			argv: `-m gunicorn --bind "$HOST:$PORT" --worker-class gthread --threads 8${options} "${wsgi}"`,
			development: false,
		};
	}
	if (isThere('waitress') && folder === '.') {
		const call = isFactory ? `--call ${module}:${name}` : `${module}:${name}`;
		return { argv: `-m waitress ${place} --threads 8 ${call}`, development: false };
	}
	if (name === 'application' && file.endsWith('wsgi.py')) {
		return { argv: 'manage.py runserver --noreload "$HOST:$PORT"', development: true };
	}
	return { argv: `-m flask --app ${folder === '.' ? module : `${folder}/${module}`} run ${place}`, development: true };
}

function packagesOf(requirements: string): string[] {
	return [...requirements.matchAll(/^[\s"']*([A-Za-z][\w.-]*)/gm)].map(([, name = '']) => name);
}

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
function findPythonRoutes(sources: Sources, program: string): readonly string[] {
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
