import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { splitWords } from '../commands/unwrap-command.ts';
import { findWritten } from '../commands/written-commands.ts';
import { NOTHING_TO_DO } from '../config-parts.ts';
import { findDatabase } from '../databases.ts';
import { healthIn, type Service } from '../find-service.ts';
import { listSources } from './list-sources.ts';
import { findPythonRoutes } from './python-routes.ts';

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
