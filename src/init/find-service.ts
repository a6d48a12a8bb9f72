/** Finds a folder's HTTP service, and its command. */
import type { FoundPackage, PackageJson } from './find-packages.ts';
import { findRoutes } from './find-routes.ts';

/** Database clients. With one, each process needs its own database. */
const IN_NODE =
	/^(?:pg|pg-promise|postgres|mysql2?|mariadb|mongodb|mongoose|redis|ioredis|@prisma\/client|knex|typeorm|sequelize|drizzle-orm|@mikro-orm\/core|better-sqlite3|sqlite3|tedious)$/;

/** Searches requirements in any format. */
const IN_PYTHON =
	/^[\s"']*(psycopg2?|asyncpg|sqlalchemy|sqlmodel|django|pymongo|motor|mysqlclient|pymysql|peewee|redis)\b/im;

const IN_GO =
	/\b(github\.com\/(?:lib\/pq|jackc\/pgx|go-sql-driver\/mysql|mattn\/go-sqlite3|redis\/go-redis)|gorm\.io\/gorm|go\.mongodb\.org\/mongo-driver|modernc\.org\/sqlite)\b/;

export interface Service {
	/** Shell command that runs in the package's folder. */
	readonly command: string;
	/** Builds each side, unless the default does. */
	readonly prepare?: string;
	readonly health: string | null;
	/** Paths; some have parameters. */
	readonly routes: readonly string[];
	/** Null when unknown. */
	readonly readsPort: boolean | null;
	/** Its database client. */
	readonly database: string | null;
	readonly note?: string;
}

const FRAMEWORKS = new Set([
	...['express', 'fastify', 'koa', 'hono', '@hono/node-server', '@nestjs/core', '@hapi/hapi', 'restify', 'polka', 'h3'],
	...['@tinyhttp/app', 'micro', 'connect', '@apollo/server', 'graphql-yoga', '@adonisjs/core', '@feathersjs/feathers'],
	...['moleculer-web', 'sails', 'egg', '@trpc/server', 'next', 'nuxt', 'hyper-express', 'uWebSockets.js', 'elysia'],
]);
const SERVES = /(?<!\bfunction\s+)\bcreateServer\s*\(|\.listen\s*\(|\bserve\s*\(|\bBun\.serve\b/;
const READS_PORT = /\benv\.PORT\b|\benv\[['"]PORT['"]\]|\{[^}]*\bPORT\b[^}]*\}\s*=\s*process\.env/;
/** A fixed port, in the call or just before it. */
const OWN_PORT = /\.listen\s*\(\s*\d|\bport\b\s*[:=]\s*\d/i;
const HEALTH = /['"`](\/(?:api\/)?(?:healthz?|livez?|readyz?|liveness|readiness|status|ping|_health))['"`]/;
const HEALTH_PATH =
	/^\/(?:(?:api|v\d+|internal|-|_)\/)*(?:healthz?|health-?check|livez?|readyz?|liveness|readiness|status|ping|_health)$/;
/** In order of preference. */
const RUNNERS = ['tsx', 'ts-node'];
const NODE_RUNS = /\.[cm]?js$/;
/** The production script comes first, because in its presence "start" often builds or watches. */
const STARTS = ['start:prod', 'start:production', 'start'];

/** Judges by dependencies or by calls in its programs. */
export function servesHttp({ json, programs }: FoundPackage): boolean {
	const names = Object.keys(recordOf(json.dependencies));
	return names.some((name) => FRAMEWORKS.has(name)) || [...programs.values()].some((text) => SERVES.test(text));
}

/** `manager` runs the scripts, for example `pnpm`. */
export async function findService(npmPackage: FoundPackage, manager: string): Promise<Service | null> {
	const command = findCommand(npmPackage, manager);
	if (command === null) return null;
	const words = command.split(/\s+/).map((word) => word.replace(/^\.\//, ''));
	const programs = [...npmPackage.programs.keys()];
	const named = programs.find((file) => words.includes(file));
	const program = named ?? programs.find((file) => SERVES.test(npmPackage.programs.get(file) ?? ''));
	const parts = program === undefined ? [] : await npmPackage.read(program);
	const texts = parts.map(({ text }) => text);
	const [text = ''] = texts;
	const routes = findRoutes(parts);
	// Fixed ports in other files are ignored, because they are usually a database's.
	const readsPort = texts.some((each) => READS_PORT.test(each)) ? true : OWN_PORT.test(text) ? false : null;
	const health = healthIn(routes) ?? HEALTH.exec(text)?.[1] ?? null;
	return { command, routes, health, readsPort, database: databaseOfNode(recordOf(npmPackage.json.dependencies)) };
}

export function healthIn(routes: readonly string[]): string | null {
	return routes.find((route) => HEALTH_PATH.test(route)) ?? null;
}

/** Returns whether a package is published for others to load, and therefore not started. */
export function isLibrary(json: PackageJson): boolean {
	return json.private !== true && [json.files, json.exports, json.types].some((field) => field !== undefined);
}

/** Prefers `node` itself, because a package manager in between costs CPU and memory. */
function findCommand({ json, programs }: FoundPackage, manager: string): string | null {
	const scripts = recordOf(json.scripts);
	const name = STARTS.find((each) => typeof scripts[each] === 'string');
	const start = name === undefined ? undefined : scripts[name];
	if (typeof start === 'string' && /^node\s/.test(start) && !start.includes('\n')) return start;
	if (typeof start === 'string') return name === 'start' ? `${manager} start` : `${manager} run ${name}`;
	if (isLibrary(json)) return null;
	const servers = [...programs].filter(([, text]) => SERVES.test(text)).map(([file]) => file);
	const main = typeof json.main === 'string' ? json.main.replace(/^\.\//, '') : null;
	// If the main file is missing, the build makes it from another program.
	const isBuilt = typeof scripts.build === 'string' && servers.length > 0;
	if (main !== null && (programs.has(main) ? servers.includes(main) : isBuilt)) return `node ${main}`;
	// If a published main file serves nothing, other programs are parts of it.
	if (main !== null && programs.has(main) && json.private !== true) return null;
	const script = servers.find((file) => NODE_RUNS.test(file));
	if (script !== undefined) return `node ${script}`;
	const tools = { ...recordOf(json.dependencies), ...recordOf(json.devDependencies) };
	const runner = RUNNERS.find((name) => tools[name] !== undefined);
	return servers[0] === undefined || runner === undefined ? null : `npx ${runner} ${servers[0]}`;
}

/** Returns an empty object for other values. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Returns an empty string without a name. */
export function nameOf(json: PackageJson | null): string {
	return typeof json?.name === 'string' ? json.name : '';
}

function databaseOfNode(dependencies: Readonly<Record<string, unknown>>): string | null {
	return Object.keys(dependencies).find((name) => IN_NODE.test(name)) ?? null;
}

export function databaseOfPython(requirements: string): string | null {
	return IN_PYTHON.exec(requirements)?.[1] ?? null;
}

export function databaseOfGo(module: string): string | null {
	return IN_GO.exec(module)?.[1] ?? null;
}
