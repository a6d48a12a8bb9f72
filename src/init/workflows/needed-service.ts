import { asMapping } from '../../config/file/check-scenario.ts';
import type { Service } from './check-job.ts';

interface Kind {
	readonly name: string;
	readonly used: RegExp;
	readonly started: RegExp;
	readonly clients: readonly string[];
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
	},
	{
		name: 'MySQL or MariaDB',
		used: new RegExp(`\\b(?:mysql|mysqladmin|mariadb)\\s|\\b(?:mysql|mariadb)(?:\\+\\w+)?://${HERE}`),
		started: /\b(?:mysqld|mariadbd|mysql_install_db|mariadb-install-db)\b/,
		clients: ['mysql', 'mysql2', 'mariadb'],
	},
	{
		name: 'MongoDB',
		used: new RegExp(`\\b(?:mongosh|mongoimport|mongorestore)\\b|\\bmongodb://${HERE}`),
		started: /\bmongod\b/,
		clients: ['mongodb', 'mongoose'],
	},
	{
		name: 'Redis',
		used: new RegExp(`\\bredis-cli\\b|\\brediss?://${HERE}`),
		started: /\b(?:redis|valkey)-server\b/,
		clients: ['redis', 'ioredis'],
	},
];

export interface Sources {
	readonly config: { readonly file: string; readonly text: string } | null;
	/** Text of the `package.json` at the top. */
	readonly manifest: string | null;
}

/** Returns the database or cache that the config or a dependency uses, else null. */
export function findNeededService({ config, manifest }: Sources): Service | null {
	const lines = (config?.text ?? '').split('\n').map((line) => line.replace(/(?:^|\s)#.*$/, ''));
	for (const { name, used, started } of KINDS) {
		const line = lines.findIndex((one) => used.test(one));
		if (line < 0) continue;
		if (lines.some((one) => started.test(one))) return null;
		return { name, where: `${config?.file}:${line + 1}`, isSure: true };
	}
	const dependencies = Object.keys(asMapping(readJson(manifest ?? '').dependencies));
	const client = KINDS.find(({ clients }) => clients.some((one) => dependencies.includes(one)));
	if (client === undefined || lines.some((one) => client.started.test(one))) return null;
	return { name: client.name, where: 'package.json', isSure: false };
}

function readJson(text: string): Readonly<Record<string, unknown>> {
	try {
		return asMapping(JSON.parse(text.replace(/^\uFEFF/, '')));
	} catch {
		return {};
	}
}
