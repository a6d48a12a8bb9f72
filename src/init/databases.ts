/** Databases that a service may use: how they are recognised, and how each process gets one of its own. */

import { parse } from 'yaml';

export type DatabaseKind = 'postgres' | 'mysql' | 'sqlite' | 'mongo' | 'redis' | 'other';

export interface Database {
	readonly kind: DatabaseKind;
	readonly client: string;
	readonly migrate?: string;
	/** Whether env names a database for each process. */
	readonly isOwn?: boolean;
}

const CLIENTS: readonly (readonly [DatabaseKind, RegExp])[] = [
	[
		'postgres',
		/^(?:pg|pg-promise|postgres|psycopg\d?|asyncpg|github\.com\/(?:lib\/pq|jackc\/pgx|jinzhu\/gorm\/dialects\/postgres)|gorm\.io\/driver\/postgres|tokio-postgres|sqlx-postgres|org\.postgresql)$/,
	],
	[
		'mysql',
		/^(?:mysql2?|mariadb|mysqlclient|pymysql|aiomysql|asyncmy|github\.com\/(?:go-sql-driver\/mysql|jinzhu\/gorm\/dialects\/mysql)|gorm\.io\/driver\/mysql|@fastify\/mysql|com\.mysql|sqlx-mysql)$/,
	],
	[
		'sqlite',
		/^(?:better-sqlite3|sqlite3|aiosqlite|rusqlite|github\.com\/(?:mattn\/go-sqlite3|jinzhu\/gorm\/dialects\/sqlite|glebarez\/sqlite)|gorm\.io\/driver\/sqlite|modernc\.org\/sqlite)$/,
	],
	['mongo', /^(?:mongodb|mongoose|pymongo|motor|beanie|go\.mongodb\.org\/mongo-driver)$/],
	['redis', /^(?:redis|ioredis|github\.com\/(?:redis\/go-redis|go-redis\/redis|gomodule\/redigo))$/],
	[
		'other',
		/^(?:@prisma\/client|knex|typeorm|sequelize|drizzle-orm|@mikro-orm\/core|tedious|sqlalchemy|sqlmodel|flask-sqlalchemy|django|peewee|tortoise-orm|gorm\.io\/gorm|github\.com\/jinzhu\/gorm|sqlx|diesel|sea-orm)$/,
	],
];

/** Returns the most specific database among dependencies; null without any. */
export function findDatabase(names: readonly string[], migrate?: string): Database | null {
	for (const [kind, pattern] of CLIENTS) {
		const client = names.find((name) => pattern.test(name.toLowerCase()));
		if (client !== undefined) return { kind, client, ...(migrate !== undefined && { migrate }) };
	}
	return null;
}

const LINES: Readonly<Record<DatabaseKind, (migrate: string) => readonly string[]>> = {
	postgres: (migrate) => [`start: createdb "\${slot}" && ${migrate}`, 'stop: dropdb --if-exists --force "${slot}"'],
	mysql: (migrate) => [`start: mysqladmin create "\${slot}" && ${migrate}`, 'stop: mysqladmin --force drop "${slot}"'],
	sqlite: (migrate) => [`start: ${migrate}`, 'env: { DATABASE: "${data}/app.db" }'],
	mongo: (migrate) => [`start: ${migrate}`, 'stop: mongosh "${slot}" --quiet --eval "db.dropDatabase()"'],
	redis: () => [],
	other: (migrate) => [`start: ${migrate}`],
};

/** Returns lines that give each process a database of its own. */
export function databaseLines({ kind, migrate = 'YOUR MIGRATION' }: Database): readonly string[] {
	return LINES[kind](migrate);
}

/** For the client programs, as in the service container below. */
export const POSTGRES_ENV = { PGHOST: '127.0.0.1', PGUSER: 'postgres', PGPASSWORD: 'postgres' } as const;

const IMAGES: Partial<Readonly<Record<DatabaseKind, { readonly port: number; readonly lines: readonly string[] }>>> = {
	postgres: {
		port: 5432,
		lines: [
			'image: postgres:17',
			`env: { POSTGRES_PASSWORD: ${POSTGRES_ENV.PGPASSWORD} }`,
			'options: --health-cmd pg_isready --health-interval 2s --health-retries 30',
		],
	},
	mysql: {
		port: 3306,
		lines: [
			'image: mysql:8.4',
			'env: { MYSQL_ROOT_PASSWORD: mysql }',
			'options: --health-cmd "mysqladmin ping" --health-interval 2s --health-retries 30',
		],
	},
	mongo: { port: 27017, lines: ['image: mongo:8'] },
	redis: { port: 6379, lines: ['image: redis:8'] },
};

/** Whether a workflow must start it. */
export function isDatabaseServer({ kind }: Pick<Database, 'kind'>): boolean {
	return IMAGES[kind] !== undefined;
}

export interface Container {
	readonly kind: DatabaseKind;
	readonly image?: string;
}

const OFFICIAL: readonly (readonly [DatabaseKind, RegExp])[] = [
	['postgres', /^(?:postgres|postgis\/postgis|pgvector\/pgvector)(?::[\w.-]+)?$/],
	['mysql', /^mysql(?::[\w.-]+)?$/],
	['mongo', /^mongo(?::[\w.-]+)?$/],
	['redis', /^(?:redis|valkey\/valkey)(?::[\w.-]+)?$/],
];
const KINDS: readonly (readonly [DatabaseKind, RegExp])[] = [
	['postgres', /postg/],
	['mysql', /mysql|mariadb|percona/],
	['mongo', /mongo/],
	['redis', /redis|valkey/],
];

/** Returns databases and caches of a compose file; nothing for other text. */
export function readCompose(text: string): readonly Container[] {
	let services: unknown;
	try {
		services = (parse(text) as { services?: unknown } | null)?.services;
	} catch {
		return [];
	}
	const images = Object.values(typeof services === 'object' && services !== null ? services : {}).map((service) =>
		String((service as { image?: unknown } | null)?.image ?? ''),
	);
	const containers = images.flatMap((image): Container[] => {
		const official = OFFICIAL.find(([, pattern]) => pattern.test(image));
		if (official !== undefined) return [{ kind: official[0], image }];
		const known = KINDS.find(([, pattern]) => pattern.test(image));
		return known === undefined ? [] : [{ kind: known[0] }];
	});
	return containers.filter(({ kind }, at) => containers.findIndex((other) => other.kind === kind) === at);
}

export function containerLines({ kind, image }: Container): readonly string[] {
	const { port, lines } = IMAGES[kind] ?? { port: 0, lines: [] };
	const used = image === undefined ? lines : [`image: ${image}`, ...lines.slice(1)];
	return [`${kind}:`, ...[...used, `ports: ["${port}:${port}"]`].map((line) => `  ${line}`)];
}
