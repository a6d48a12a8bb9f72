/** Whether a service keeps its data in a database: each process then needs one of its own. */
const IN_NODE =
	/^(?:pg|pg-promise|postgres|mysql2?|mariadb|mongodb|mongoose|redis|ioredis|@prisma\/client|knex|typeorm|sequelize|drizzle-orm|@mikro-orm\/core|better-sqlite3|sqlite3|tedious)$/;
/** In a list of requirements, whatever its form. */
const IN_PYTHON =
	/^[\s"']*(psycopg2?|asyncpg|sqlalchemy|sqlmodel|django|pymongo|motor|mysqlclient|pymysql|peewee|redis)\b/im;
const IN_GO =
	/\b(github\.com\/(?:lib\/pq|jackc\/pgx|go-sql-driver\/mysql|mattn\/go-sqlite3|redis\/go-redis)|gorm\.io\/gorm|go\.mongodb\.org\/mongo-driver|modernc\.org\/sqlite)\b/;

/** Returns the first dependency that is a client of a database, null without. */
export function databaseOfNode(dependencies: Readonly<Record<string, unknown>>): string | null {
	return Object.keys(dependencies).find((name) => IN_NODE.test(name)) ?? null;
}

/** The same for the text of requirements.txt or pyproject.toml. */
export function databaseOfPython(requirements: string): string | null {
	return IN_PYTHON.exec(requirements)?.[1] ?? null;
}

/** The same for the text of go.mod. */
export function databaseOfGo(module: string): string | null {
	return IN_GO.exec(module)?.[1] ?? null;
}
