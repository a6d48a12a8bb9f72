import { parseJson } from '../text/json.ts';
import { nameAll } from '../text/phrase.ts';
import { INSTALLS } from './config-parts.ts';
import { type Database, type DatabaseKind, findDatabase } from './databases.ts';
import type { FoundPackage, PackageJson } from './find-packages.ts';
import { findRoutes } from './find-routes.ts';
import { isShellList, splitWords, type Unwrapped, unwrapCommand, unwrapParallel } from './unwrap-command.ts';

export interface Service {
	readonly command: string;
	readonly env?: Readonly<Record<string, string>>;
	/** A clause: `its script "start" starts it`. */
	readonly reason?: string;
	readonly prepare?: string;
	readonly health: string | null;
	readonly routes: readonly string[];
	readonly readsPort: boolean | null;
	readonly database: Database | null;
	readonly notes?: readonly string[];
}

const FRAMEWORKS = new Set([
	...['express', 'fastify', 'koa', 'hono', '@hono/node-server', '@nestjs/core', '@hapi/hapi', 'restify', 'polka', 'h3'],
	...['@tinyhttp/app', 'micro', 'connect', '@apollo/server', 'graphql-yoga', '@adonisjs/core', '@feathersjs/feathers'],
	...['moleculer-web', 'sails', 'egg', '@trpc/server', 'next', 'nuxt', 'hyper-express', 'uWebSockets.js', 'elysia'],
]);
const SERVES = /(?<!\bfunction\s+)\bcreateServer\s*\(|\.listen\s*\(|\bserve\s*\(|\bBun\.serve\b/;
const READS_PORT =
	/\bDeno\.env\.get\(\s*['"]PORT['"]\)|\benv\.PORT\b|\benv\[['"]PORT['"]\]|\{[^}]*\bPORT\b[^}]*\}\s*=\s*process\.env/;
const OWN_PORT = /\.listen\s*\(\s*\d|\bport\b\s*[:=]\s*\d/i;
const HEALTH = /['"`](\/(?:api\/)?(?:healthz?|livez?|readyz?|liveness|readiness|status|ping|_health))['"`]/;
const HEALTH_PATH =
	/^\/(?:(?:api|v\d+|internal|-|_)\/)*(?:healthz?|health-?check|livez?|readyz?|liveness|readiness|status|ping|_health)$/;
const RUNTIMES = /^(?:node|bun|deno|npx)\s/;
const NODE_RUNS = /\.[cm]?js$/;
const STARTS = ['start:prod', 'start:production', 'start'];
const WATCHED = ['serve', 'server', 'dev', 'start:dev', 'develop'];
const RUNNERS: Readonly<Record<string, string>> = { npm: 'npx', pnpm: 'pnpm exec', yarn: 'yarn', bun: 'bunx' };
const MIGRATION =
	/^(?:(?:db|prisma|knex|typeorm|drizzle|sequelize):)?migrat(?:e|ions?)(?::(?:latest|deploy|up|run|prod))?$/;
const MIGRATES = /\b(?:migrat|seed|db[:-]?push|db push|db:setup|prisma db)/;

export function servesHttp({ json, programs }: FoundPackage): boolean {
	return frameworkOf(json) !== null || [...programs.values()].some((text) => SERVES.test(text));
}

export function isFramework({ json }: FoundPackage): boolean {
	return FRAMEWORKS.has(nameOf(json));
}

export function frameworkOf({ dependencies }: PackageJson): string | null {
	return Object.keys(recordOf(dependencies)).find((name) => FRAMEWORKS.has(name)) ?? null;
}

/** `manager` runs the scripts, for example `pnpm`. */
export async function findService(npmPackage: FoundPackage, manager: string): Promise<Service | null> {
	const found = findStart(npmPackage, manager);
	if (found === null) return null;
	const { migrate, ...start } = found;
	const { command } = start;
	const words = command.split(/\s+/).map((word) => word.replace(/^\.\//, ''));
	const programs = [...npmPackage.programs.keys()];
	const named = programs.find((file) => words.some((word) => file === word || file.replace(NODE_RUNS, '') === word));
	const program = named ?? programs.find((file) => SERVES.test(npmPackage.programs.get(file) ?? ''));
	const parts = program === undefined ? [] : await npmPackage.read(program);
	const texts = parts.map(({ text }) => text);
	const [text = ''] = texts;
	const routes = findRoutes(parts);
	// Fixed ports in other files are ignored, because they are usually a database's.
	const readsPort = texts.some((each) => READS_PORT.test(each)) ? true : OWN_PORT.test(text) ? false : null;
	const health = healthIn(routes) ?? HEALTH.exec(text)?.[1] ?? null;
	const database = findNodeDatabase(npmPackage, migrate ?? findMigration(npmPackage.json, manager));
	return { ...start, routes, health, readsPort, database };
}

export function healthIn(routes: readonly string[]): string | null {
	return routes.find((route) => HEALTH_PATH.test(route)) ?? null;
}

/** Whether a package is published for others to load, and therefore not started. */
export function isLibrary(json: PackageJson): boolean {
	return json.private !== true && [json.files, json.exports, json.types].some((field) => field !== undefined);
}

function findMigration({ scripts }: PackageJson, manager: string): string | undefined {
	const name = Object.keys(recordOf(scripts)).find((each) => MIGRATION.test(each));
	return name === undefined ? undefined : `${manager} run ${name}`;
}

function findNodeDatabase({ json, readText }: FoundPackage, migrate: string | undefined): Database | null {
	const names = Object.keys(recordOf(json.dependencies));
	const { schema = 'prisma/schema.prisma' } = recordOf(json.prisma) as { schema?: string };
	const provider = /^\s*provider\s*=\s*"(postgres|mysql|sqlite|mongo)\w*"/m.exec(readText(schema) ?? '')?.[1];
	const found = findDatabase(names, migrate);
	return found === null || provider === undefined ? found : { ...found, kind: provider as DatabaseKind };
}

type Start = Pick<Service, 'command' | 'env' | 'prepare' | 'reason' | 'notes'> & { readonly migrate?: string };

function findStart(npmPackage: FoundPackage, manager: string): Start | null {
	const start = findWrittenStart(npmPackage, manager);
	if (start === null) return null;
	const runsBun = /^\[run\][^[]*?^bun\s*=\s*true\b/m.test(npmPackage.readText('bunfig.toml') ?? '');
	if (runsBun) return { ...start, command: start.command.replace(/^node /, 'bun ') };
	const notes = [...(start.notes ?? []), ...(/^deno\s.*\s--unstable(?=\s|$)/.test(start.command) ? [OF_DENO_1] : [])];
	const file = /^deno\s(?:.*?\s)?([\w./-]+\.[cm]?[jt]sx?)(?=\s|$)/.exec(start.command)?.[1];
	if (file === undefined || start.prepare !== undefined) return { ...start, notes };
	// Else the first start would load packages, below a home that does not last.
	return { ...start, notes, prepare: `DENO_DIR=.deno deno cache ${file}`, env: { DENO_DIR: '.deno', ...start.env } };
}

const OF_DENO_1 =
	'Deno 2 has no --unstable: write those of its --unstable-… that the server needs, such as --unstable-kv.';

/** The tasks of `deno.json` or `deno.jsonc`. */
function tasksOf(read: FoundPackage['readText']): Readonly<Record<string, string>> {
	const text = read('deno.json') ?? read('deno.jsonc') ?? '{}';
	const plain = text
		.replace(/("(?:[^"\\]|\\.)*")|\/\/.*|\/\*[\s\S]*?\*\//g, '$1')
		.replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, '$1');
	try {
		const tasks = Object.entries(recordOf(recordOf(parseJson(plain)).tasks));
		return Object.fromEntries(
			tasks.flatMap(([name, task]) => {
				const command = typeof task === 'string' ? task : recordOf(task).command;
				return typeof command === 'string' ? [[name, command]] : [];
			}),
		);
	} catch {
		return {};
	}
}

function findWrittenStart(npmPackage: FoundPackage, manager: string): Start | null {
	const { json, programs, written, readText } = npmPackage;
	const scripts = { ...tasksOf(readText), ...recordOf(json.scripts) };
	const tools = { ...recordOf(json.dependencies), ...recordOf(json.devDependencies) };
	const around = { scripts, tools: new Set(Object.keys(tools)), read: readText };
	const script = (name: string) => ({ from: `script "${name}"`, command: scripts[name], name });
	const ofScripts = (names: readonly string[]) => names.filter((name) => typeof scripts[name] === 'string').map(script);
	const starts = [...ofScripts(STARTS), ...written.map((each) => ({ ...each, name: null }))];
	for (const { from, command, name } of starts) {
		const unwrapped = unwrapCommand(String(command), around);
		// A Procfile or Dockerfile may start a program of another language.
		if (unwrapped !== null && (name !== null || RUNTIMES.test(unwrapped.command))) {
			return describeStart(unwrapped, from, manager);
		}
		const together = name === null ? [] : unwrapParallel(String(command), around);
		if (together.length > 1) return describeOneOf(together, npmPackage, from, manager);
		// A list of shell commands may do anything before the program.
		if (name !== null && isShellList(String(command))) {
			return {
				command: name === 'start' ? `${manager} start` : `${manager} run ${name}`,
				reason: `its ${from} starts it`,
			};
		}
	}
	if (isLibrary(json)) return null;
	const servers = [...programs].filter(([, text]) => SERVES.test(text)).map(([file]) => file);
	const main = typeof json.main === 'string' ? json.main.replace(/^\.\//, '') : null;
	// If the main file is missing, the build makes it from another program.
	const isBuilt = typeof scripts.build === 'string' && servers.length > 0;
	if (main !== null && (programs.has(main) ? servers.includes(main) : isBuilt)) {
		return { command: `node ${main}`, reason: 'it is the main file' };
	}
	// If a published main file serves nothing, other programs are parts of it.
	if (main !== null && programs.has(main) && json.private !== true) return null;
	for (const { from, command } of ofScripts(WATCHED)) {
		const unwrapped = unwrapCommand(String(command), around);
		if (unwrapped !== null) return describeStart(unwrapped, from, manager);
	}
	const program = servers.find((file) => NODE_RUNS.test(file)) ?? servers[0];
	const run = program === undefined ? null : unwrapCommand(`nodemon ${program}`, around);
	if (
		run === null ||
		(!NODE_RUNS.test(program ?? '') && !run.command.includes(' --import ') && !run.command.includes(' -r '))
	)
		return null;
	return { command: run.command, reason: 'it serves HTTP' };
}

/** Programs that share a PORT answer by chance, so only one is started. */
function describeOneOf(
	together: readonly Unwrapped[],
	{ programs }: FoundPackage,
	from: string,
	manager: string,
): Start | null {
	const serves = ({ command }: Unwrapped) =>
		splitWords(command).some((word) => SERVES.test(programs.get(word.replace(/^\.\//, '')) ?? ''));
	const chosen = together.find(serves) ?? together[0];
	if (chosen === undefined) return null;
	const start = describeStart(chosen, from, manager);
	const others = together.filter((each) => each !== chosen).map(({ command }) => command);
	const note = `Its ${from} starts ${together.length} programs at once. Only one is measured: if it is not ${start.command}, write the right command: ${others.join(', or ')}.`;
	return { ...start, notes: [note, ...(start.notes ?? [])] };
}

function describeStart({ command, env, before, without }: Unwrapped, from: string, manager: string): Start {
	const typed = command.replace(/^npx(?= )/, RUNNERS[manager] ?? 'npx');
	const migrations = before.filter((each) => MIGRATES.test(each));
	const builds = before.filter(
		(each) => !migrations.includes(each) && !/^(?:npm|yarn|pnpm|bun) (?:run )?build$/.test(each),
	);
	const install = INSTALLS[manager];
	const note = `Its ${from} starts it through ${nameAll(without, without.length)}, which would be measured too: it is started without.`;
	const isEnvMissing = without.some((tool) => /env/.test(tool));
	return {
		command: typed,
		reason: `its ${from} starts it`,
		...(Object.keys(env).length > 0 && { env }),
		...(builds.length > 0 && install !== undefined && { prepare: [install, ...builds].join(' && ') }),
		...(migrations.length > 0 && { migrate: migrations.join(' && ') }),
		notes: [
			...(without.length > 0 ? [note] : []),
			...(isEnvMissing
				? ['The file of variables that it names is not in the repository: write those that it needs into env.']
				: []),
		],
	};
}

export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

export function nameOf(json: PackageJson | null): string {
	return typeof json?.name === 'string' ? json.name : '';
}
