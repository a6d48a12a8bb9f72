import { posix } from 'node:path';
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
const LINE = /^(?:export\s+)?([A-Za-z_]\w*)=(?:"([^"\n]*)"|'([^'\n]*)'|([^\s#]*))\s*(?:#.*)?$/gm;
const LEFT_OUT =
	/^(?:(?:APP_|SERVER_|HTTP_|API_)?(?:PORT|HOST)|NODE_ENV|.*(?:DEBUG|LOG|VERBOSE|WATCH|RELOAD).*|.*_ENV|ENV)$/i;
const DATABASE_NAME =
	/^(?:DB_?(?:NAME|DATABASE)|DATABASE(?:_NAME)?|PGDATABASE|(?:POSTGRES|MYSQL|MARIADB|PG)_(?:DB|DATABASE))$/i;
const DATABASE_URL = /^((?:postgres|mysql|mariadb|mongodb)[\w+]*:\/\/[^/?]+\/)[^/?]+/;
const LONGEST = 120;

/** Adds the variables of a committed example of `.env`, because the `.env` itself is in no checkout. */
export function withExampleEnv(service: Service, folder: string, read: (file: string) => string | null): Service {
	for (const name of FILES) {
		const text = read(posix.join(folder, name));
		if (text === null) continue;
		const example = Object.fromEntries(
			[...text.replaceAll('\r', '').matchAll(LINE)].flatMap(([, key = '', double, single, plain = '']) => {
				const value = double ?? single ?? plain;
				if (value === '' || value.length > LONGEST || value.includes('${') || LEFT_OUT.test(key)) return [];
				return [[key, service.database === null ? value : withOwnDatabase(key, value)] as const];
			}),
		);
		const count = Object.keys(example).length;
		if (count === 0) return service;
		const note = `Its env is from ${name}: correct what is not right for measuring.`;
		return { ...service, env: { ...example, ...service.env }, notes: [...(service.notes ?? []), note] };
	}
	return service;
}

function withOwnDatabase(key: string, value: string): string {
	return DATABASE_NAME.test(key) ? '${slot}' : value.replace(DATABASE_URL, '$1$${slot}');
}
