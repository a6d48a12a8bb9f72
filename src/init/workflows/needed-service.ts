import { asMapping } from '../../config/file/check-scenario.ts';
import type { Service } from './check-job.ts';

interface Kind {
	readonly name: string;
	readonly used: RegExp;
	readonly started: RegExp;
	readonly clients: readonly string[];
	/** Of other languages, in a line of their manifests. */
	readonly modules: RegExp;
}

const HERE = '(?:[^@/\\s]*@)?(?:localhost|127\\.0\\.0\\.1|\\[::1\\])';

const KINDS: readonly Kind[] = [
	{
		name: 'PostgreSQL',
		used: new RegExp(
			`\\b(?:createdb|dropdb|psql|pg_isready|pg_restore)\\b|\\bPGHOST\\b|\\bpostgres(?:ql)?(?:\\+\\w+)?://${HERE}`,
		),
		started: /\b(?:initdb|pg_ctl|pg_ctlcluster)\b/,
		clients: ['pg', 'pg-promise', 'postgres'],
		modules:
			/(?:\b(?:psycopg\d?|asyncpg|lib\/pq|jackc\/pgx|driver\/postgres|tokio-postgres)\b|<groupId>org\.postgresql)/,
	},
	{
		name: 'MySQL or MariaDB',
		used: new RegExp(`\\b(?:mysql|mysqladmin|mariadb)\\s|\\b(?:mysql|mariadb)(?:\\+\\w+)?://${HERE}`),
		started: /\b(?:mysqld|mariadbd|mysql_install_db|mariadb-install-db)\b/,
		clients: ['mysql', 'mysql2', 'mariadb'],
		modules:
			/(?:\b(?:mysqlclient|pymysql|aiomysql|asyncmy|go-sql-driver\/mysql|driver\/mysql|mysql_async)\b|<groupId>(?:com\.mysql|org\.mariadb))/,
	},
	{
		name: 'MongoDB',
		used: new RegExp(`\\b(?:mongosh|mongoimport|mongorestore)\\b|\\bmongodb://${HERE}`),
		started: /\bmongod\b/,
		clients: ['mongodb', 'mongoose'],
		modules: /\b(?:pymongo|motor|beanie|mongo-driver)\b/,
	},
	{
		name: 'Redis',
		used: new RegExp(`\\bredis-cli\\b|\\brediss?://${HERE}`),
		started: /\b(?:redis|valkey)-server\b/,
		clients: ['redis', 'ioredis'],
		modules: /(?:^\W*redis\b|\b(?:go-redis|redigo|jedis|lettuce-core)\b)/,
	},
];

export interface Sources {
	readonly config: { readonly file: string; readonly text: string } | null;
	/** Text of the `package.json` at the top. */
	readonly manifest: string | null;
	/** Manifests of other languages at the top. */
	readonly others?: readonly { readonly file: string; readonly text: string }[];
}

const OTHER_MANIFESTS = ['go.mod', 'pyproject.toml', 'requirements.txt', 'Cargo.toml', 'pom.xml'];

export async function readManifests(read: (file: string) => Promise<string | null>) {
	const texts = await Promise.all(OTHER_MANIFESTS.map(async (file) => ({ file, text: (await read(file)) ?? '' })));
	return texts.filter(({ text }) => text !== '');
}

/** Returns the database or cache that the config or a dependency uses, else null. */
export function findNeededService({ config, manifest, others = [] }: Sources): Service | null {
	const lines = (config?.text ?? '').split('\n').map((line) => line.replace(/(?:^|\s)#.*$/, ''));
	for (const { name, used, started } of KINDS) {
		const line = lines.findIndex((one) => used.test(one));
		if (line < 0) continue;
		if (lines.some((one) => started.test(one))) return null;
		return { name, where: `${config?.file}:${line + 1}`, isSure: true };
	}
	const dependencies = Object.keys(asMapping(readJson(manifest ?? '').dependencies));
	const client = KINDS.find(({ clients }) => clients.some((one) => dependencies.includes(one)));
	if (client !== undefined) {
		return lines.some((one) => client.started.test(one))
			? null
			: { name: client.name, where: 'package.json', isSure: false };
	}
	for (const { file, text } of others) {
		const named = text.split('\n').filter((one) => !/^\s*#|\/\/ indirect/.test(one));
		const kind = KINDS.find(({ modules }) => named.some((one) => modules.test(one)));
		if (kind === undefined || lines.some((one) => kind.started.test(one))) continue;
		return { name: kind.name, where: file, isSure: false };
	}
	return null;
}

function readJson(text: string): Readonly<Record<string, unknown>> {
	try {
		return asMapping(JSON.parse(text.replace(/^\uFEFF/, '')));
	} catch {
		return {};
	}
}
