import { posix } from 'node:path';
import { parseEnv } from 'node:util';
import { type DatabaseKind, POSTGRES_ENV } from './databases.ts';
import type { Service } from './find-service.ts';

const FILES = [
	'.env.example',
	'.env.sample',
	'.env.template',
	'.env.dist',
	'.example.env',
	'example.env',
	'env.example',
];
const LEFT_OUT =
	/^(?:(?:APP_|SERVER_|HTTP_|API_)?(?:PORT|HOST)|PATH|HOME|NODE_ENV|.*(?:DEBUG|LOG|VERBOSE|WATCH|RELOAD).*|.*_ENV|ENV)$/i;
const DATABASE_NAME = /^(?:DB_?(?:NAME|DATABASE)|DATABASE(?:_NAME)?|(?:POSTGRES|MYSQL|MARIADB|PG)_?(?:DB|DATABASE))$/i;
const DATABASE_URL = /^((?:postgres|mysql|mariadb|mongodb)[\w+]*:\/\/)([^/?]+\/)[^/?]+/;
const POSTGRES_PART = /^(?:DB|DATABASE|POSTGRES|PG)_?(HOST|USER|PASSWORD)(?:NAME)?$/i;
const LONGEST = 120;
const UNUSABLE = /\$\{|\p{Cc}/u;

/** Adds the variables of a committed example of `.env`, because the `.env` itself is in no checkout. */
export function withExampleEnv(service: Service, folder: string, read: (file: string) => string | null): Service {
	const files = [folder, '.'].flatMap((each) => FILES.map((name) => posix.join(each, name)));
	for (const name of files) {
		const text = read(name);
		if (text === null) continue;
		const example = Object.fromEntries(
			Object.entries(parseEnv(text)).flatMap(([key, value = '']) => {
				if (value === '' || value.length > LONGEST || UNUSABLE.test(value) || LEFT_OUT.test(key)) return [];
				return [[key, valueFor(key, value, service.database?.kind)] as const];
			}),
		);
		if (Object.keys(example).length === 0) return service;
		const { database, notes = [] } = service;
		const note = `Its env is from ${name}: correct what is not right for measuring.`;
		const isNamed = Object.values(example).some((value) => value.includes('${slot}'));
		const isOwn = database?.kind === 'postgres' && database.migrate !== undefined && isNamed;
		const env = { ...(isOwn && POSTGRES_ENV), ...example, ...service.env };
		return { ...service, env, notes: [...notes, note], database: database && { ...database, isOwn } };
	}
	return service;
}

/** User and password are those of the service container in the workflow. */
function valueFor(key: string, value: string, kind: DatabaseKind | undefined): string {
	if (kind === undefined) return value;
	if (DATABASE_NAME.test(key)) return '${slot}';
	if (kind !== 'postgres') return value.replace(DATABASE_URL, '$1$2$${slot}');
	const { PGHOST, PGUSER, PGPASSWORD } = POSTGRES_ENV;
	const part = POSTGRES_PART.exec(key)?.[1]?.toUpperCase();
	if (part !== undefined) return { HOST: PGHOST, USER: PGUSER }[part] ?? PGPASSWORD;
	return value.replace(DATABASE_URL, `$1${PGUSER}:${PGPASSWORD}@${PGHOST}/$$\{slot}`);
}
