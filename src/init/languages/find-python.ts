/** Finds a Python service. */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { NOTHING_TO_DO } from '../config-parts.ts';
import { databaseOfPython, healthIn, type Service } from '../find-service.ts';
import { listSources } from './list-sources.ts';

/** In order of preference. */
const PROGRAM = /^(?:(?:src|app|api)\/)?(?:server|app|main|api|asgi|wsgi|run|__main__)\.py$/;
/** `app = FastAPI(`: name and class of an application. */
const APPLICATION = /^(\w+)(?:\s*:\s*\w+)?\s*=\s*(?:\w+\.)?(FastAPI|Starlette|Litestar|Quart|Flask)\(/m;
const FACTORY = /^def\s+(create_app|make_app)\(/m;
const ASGI: readonly string[] = ['FastAPI', 'Starlette', 'Litestar', 'Quart'];
const SERVES =
	/\bserve_forever\(|\bweb\.run_app\(|\buvicorn\.run\(|\bwaitress\.serve\(|\bserve\(app\b|\brun\([^)]*\bport\s*=|\.create_server\(|\bapp\.run\(|\.listen\(/;
const READS_PORT = /\benviron(?:\.get\(\s*|\s*\[\s*)['"]PORT['"]|\bgetenv\(\s*['"]PORT['"]/;
const OWN_PORT = /\bport\s*=\s*\d{2,5}\b|\(\s*['"][\w.]*['"]\s*,\s*\d{2,5}\s*\)/i;
const DECORATED = /@(?:([\w]+)\.)?(route|get)\(\s*f?(['"])(\/[^'"\n]*)\3([^)\n]*)\)/g;
const ADDED = /\b(?:web\.get|add_get)\(\s*(['"])(\/[^'"\n]*)\1/g;
/** Routes without a framework. */
const COMPARED = /\bpath\s*[!=]=\s*(['"])(\/[^'"\n]*)\1/g;
const OWN_PREFIX =
	/^(\w+)\s*=\s*(?:\w+\.)?(?:APIRouter|Blueprint)\([^)]*?\b(?:url_)?prefix\s*=\s*(['"])(\/[^'"\n]*)\2/gm;
const COMMENT = /(?<=^|\s)#.*$/gm;

/** Dependencies of a side are installed in its checkout. */
const OWN = '.venv/bin/python';
const INSTALL = `python3 -m venv .venv && ${OWN} -m pip install --quiet`;

export async function findPython(cwd: string): Promise<Service | null> {
	const sources = [...(await listSources(cwd, '.py'))].map(
		([file, text]) => [file, text.replace(COMMENT, '')] as const,
	);
	const programs = sources.filter(([file]) => PROGRAM.test(file));
	const application = programs.find(([, text]) => APPLICATION.test(text) || FACTORY.test(text));
	// An installable package may contain a part that can serve. That alone does not make it a program.
	const isLibrary = sources.some(([file]) => file === 'setup.py');
	const candidates = isLibrary ? programs : [...programs, ...sources.filter(([file]) => !file.includes('/'))];
	const script = candidates.find(([, text]) => SERVES.test(text));
	const [file, text] = application ?? script ?? [];
	if (file === undefined || text === undefined) return null;
	const routes = [...new Set(routesIn(text))];
	const files = await readRequirements(cwd);
	// A subfolder that has its own requirements is a separate service.
	const beside =
		file.includes('/') && files.names.size === 0 ? await readRequirements(path.join(cwd, path.dirname(file))) : files;
	if (beside.names.size > files.names.size) return null;
	const install = findInstall(files);
	const started = application === undefined ? null : startApplication(application[0], application[1], files.text);
	const itself = script !== undefined && READS_PORT.test(script[1]) ? script[0] : null;
	// A program that reads PORT is preferred to a development server.
	const run =
		started === null || (started.development && itself !== null)
			? { argv: itself ?? file, development: false }
			: started;
	return {
		command: `exec ${install.python} ${run.argv}`,
		prepare: install.prepare,
		routes,
		health: healthIn(routes),
		database: databaseOfPython(files.text),
		readsPort: run === started || READS_PORT.test(text) ? true : OWN_PORT.test(text) ? false : null,
		...(run.development && { note: DEVELOPMENT }),
	};
}

const DEVELOPMENT =
	"It is started with Flask's development server, which closes every connection, so connecting is much of what is measured: where gunicorn or waitress is among its requirements, init starts that.";

interface Requirements {
	readonly names: ReadonlySet<string>;
	readonly text: string;
}

async function readRequirements(cwd: string): Promise<Requirements> {
	const names = ['requirements.txt', 'pyproject.toml', 'uv.lock', 'poetry.lock'];
	const read = await Promise.all(names.map((name) => readFile(path.join(cwd, name), 'utf8').catch(() => null)));
	return { names: new Set(names.filter((_, at) => read[at] !== null)), text: read.join('\n') };
}

function findInstall({ names, text }: Requirements): { readonly prepare: string; readonly python: string } {
	if (names.has('uv.lock')) return { prepare: 'uv sync --frozen --no-dev', python: OWN };
	if (names.has('poetry.lock')) {
		return { prepare: 'POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --only main --no-root', python: OWN };
	}
	const what = names.has('requirements.txt') ? '-r requirements.txt' : /^\[project\]/m.test(text) ? '.' : null;
	return what === null ? { prepare: NOTHING_TO_DO, python: 'python3' } : { prepare: `${INSTALL} ${what}`, python: OWN };
}

/** Starts an application as in production. */
function startApplication(file: string, text: string, requirements: string) {
	const [, name = '', kind = 'Flask'] = APPLICATION.exec(text) ?? [];
	const factory = name === '' ? FACTORY.exec(text)?.[1] : undefined;
	// Outside a package, Python resolves imports relative to "src".
	const folder = file.startsWith('src/') ? 'src' : null;
	const module = file.slice(folder === null ? 0 : 'src/'.length, -'.py'.length).replaceAll('/', '.');
	const place = '--host "$HOST" --port "$PORT"';
	if (ASGI.includes(kind)) {
		const options = `${folder === null ? '' : ' --app-dir src'}${factory === undefined ? '' : ' --factory'}`;
		return {
			argv: `-m uvicorn ${module}:${factory ?? name}${options} ${place} --no-access-log`,
			development: false,
		};
	}
	const wsgi = `${module}:${factory === undefined ? name : `${factory}()`}`;
	const isThere = (server: string) => new RegExp(`(?:^|["'\\s])${server}\\b`, 'mi').test(requirements);
	if (isThere('gunicorn')) {
		const options = folder === null ? '' : ' --chdir src';
		// Workers of gunicorn's default class close every connection.
		return {
			argv: `-m gunicorn --bind "$HOST:$PORT" --worker-class gthread --threads 8${options} "${wsgi}"`,
			development: false,
		};
	}
	if (isThere('waitress') && folder === null) {
		const call = factory === undefined ? `${module}:${name}` : `--call ${module}:${factory}`;
		return { argv: `-m waitress ${place} --threads 8 ${call}`, development: false };
	}
	return {
		argv: `-m flask --app ${folder === null ? module : `src/${module}`} run ${place}`,
		development: true,
	};
}

function routesIn(text: string): string[] {
	const prefixes = new Map([...text.matchAll(OWN_PREFIX)].map(([, name = '', , prefix = '']) => [name, prefix]));
	const placedRoutes = [...text.matchAll(DECORATED)].flatMap(
		({ index, 1: receiver = '', 4: route = '', 5: argumentText = '' }) => {
			const methods = /\bmethods?\s*=\s*([[(]?[^\])]*)/.exec(argumentText)?.[1];
			if (methods !== undefined && !/GET/i.test(methods)) return [];
			return [{ at: index, route: (prefixes.get(receiver) ?? '') + route }];
		},
	);
	for (const pattern of [ADDED, COMPARED]) {
		for (const { index, 2: route = '' } of text.matchAll(pattern)) placedRoutes.push({ at: index, route });
	}
	return placedRoutes.toSorted((one, other) => one.at - other.at).map(({ route }) => route);
}
