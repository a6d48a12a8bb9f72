import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unwrapCommand } from '../../src/init/unwrap-command.ts';

const FILES: Readonly<Record<string, string>> = {
	'nest-cli.json': '{}',
	'committed.env': '',
	'apps/api/project.json': '{"targets":{"build":{"options":{"outputPath":"dist/apps/api"}}}}',
};
const around = {
	scripts: { api: 'nodemon --exec tsx src/a.ts', web: 'vite', built: 'npm run build && node dist/x.js', list: 'a; b' },
	tools: new Set(['tsx']),
	read: (file: string) => FILES[file] ?? null,
};

/** The written script, the command to start, and the left-out part. */
const CASES: readonly (readonly [written: string, command: string | null, without?: string])[] = [
	['node ./bin/www', 'node ./bin/www'],
	["node --import ./x.js: server.js # '", "node --import ./x.js: server.js # '"],
	['exec node x.js --port $PORT', 'node x.js --port "$PORT"'],
	['nodemon server.js', 'node server.js', 'nodemon'],
	['nodemon --watch src --ext ts --exec "ts-node --files" src/i.ts', 'node --import tsx src/i.ts', 'nodemon, ts-node'],
	['node --env-file .env x.js --port 3', 'node x.js --port 3', '--env-file=.env'],
	['node --env-file=committed.env x.js', 'node --env-file=committed.env x.js'],
	['node --watch --inspect=9229 -r ./otel.js x.js', 'node -r ./otel.js x.js', '--watch, --inspect=9229'],
	['tsx watch --clear-screen=false src/i.ts', 'node --import tsx src/i.ts', 'tsx watch'],
	[
		'npx ts-node -r tsconfig-paths/register src/i.ts',
		'node -r tsconfig-paths/register --import tsx src/i.ts',
		'ts-node',
	],
	['ts-node-dev --respawn --transpile-only src/x.ts', 'node --import tsx src/x.ts', 'ts-node-dev'],
	['pm2-runtime start dist/i.js -i max', 'node dist/i.js', 'pm2-runtime'],
	['pm2 start ecosystem.config.js', null],
	['concurrently "npm:web" "npm:api"', 'node --import tsx src/a.ts', 'concurrently, nodemon, tsx'],
	['concurrently "node a.js" "node b.js"', null],
	['deno task built', 'node dist/x.js'],
	['deno serve --watch main.ts', 'deno serve --host "$HOST" --port "$PORT" main.ts', 'deno --watch'],
	['yarn api', 'node --import tsx src/a.ts', 'nodemon, tsx'],
	['npm run built', 'node dist/x.js'],
	['npm run list', null],
	['dotenv -e .env -- node x.js', 'node x.js', 'dotenv'],
	['env-cmd -f .env node x.js', 'node x.js', 'env-cmd'],
	['nest start --watch', 'node dist/main', 'nest start'],
	['npx nx serve api', 'node dist/apps/api/main.js', 'nx serve'],
	['nx serve', null],
	['next dev', 'npx next start', 'next dev'],
	['fastify start -w -l info -P dist/app.js', 'npx fastify start -l info dist/app.js', 'the watcher of fastify-cli'],
	['bun --hot src/i.ts', 'bun src/i.ts', 'bun --watch'],
	['deno run --watch -A main.ts', 'deno run -A main.ts', 'deno --watch'],
	['tini -- node x.js', 'node x.js'],
	['vite', null],
	['turbo run start', null],
	['cd api; node x.js', null],
	['node a.js & node b.js', null],
];

for (const [written, command, without = ''] of CASES) {
	test(`the program of a start script is found: ${written}`, () => {
		const unwrapped = unwrapCommand(written, around);
		assert.equal(unwrapped?.command ?? null, command);
		assert.equal(unwrapped?.without.join(', ') ?? '', without);
	});
}

test('variables and commands before the program are kept', () => {
	const unwrapped = unwrapCommand('prisma migrate deploy && cross-env A=1 NODE_ENV=production npm run built', around);
	assert.deepEqual(unwrapped, {
		command: 'node dist/x.js',
		env: { A: '1', NODE_ENV: 'production' },
		before: ['prisma migrate deploy', 'npm run build'],
		without: ['cross-env'],
	});
});

test('scripts that call each other have no program', () => {
	const scripts = { a: 'npm run b', b: 'npm run a' };
	assert.equal(unwrapCommand('npm run a', { ...around, scripts }), null);
});
