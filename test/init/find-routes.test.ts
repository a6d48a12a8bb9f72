import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findRoutes, isOpen } from '../../src/init/find-routes.ts';
import { followImports } from '../../src/init/follow-imports.ts';

/** Returns the routes of the first of these files, with those it loads from the others. */
async function routesOf(t: TestContext, files: Readonly<Record<string, string>>): Promise<readonly string[]> {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-routes-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), content);
	}
	return findRoutes(await followImports(folder, Object.keys(files)[0] ?? ''));
}

const alone: readonly (readonly [string, string, readonly string[]])[] = [
	['express', "app.get('/', a); app.get('/users/:id', b); app.post('/users', c);", ['/', '/users/:id']],
	['a setting, and a client', "app.get('/views'); axios.get('/users', {}); cache.get('/x', y);", []],
	['a router of the same file', "const r = Router(); r.get('/a', b); app.use('/api', r);", ['/api/a']],
	['a router that is made with a prefix', "const r = new Router({ prefix: '/v1' }); r.get('/a', b);", ['/v1/a']],
	['a route of several methods', "app.route('/users').post(a).get(b); app.route('/x').post(a);", ['/users']],
	['a chain', "new Hono().get('/a', b).get('/c', d)", ['/a', '/c']],
	['a type between', "app.get<{ Params: { id: string } }>('/a/:id', b)", ['/a/:id']],
	[
		'routes as objects',
		"app.route({ method: 'GET', url: '/a', handler }); server.route({ path: '/b', method: ['GET'] }); app.route({ method: 'POST', url: '/c' });",
		['/a', '/b'],
	],
	['no framework', "if (request.url === '/a') b(); switch (url.pathname) { case '/c': }", ['/a', '/c']],
	['a comment', "// app.get('/a', b)\n/* app.get('/c', d) */", []],
	['a path that is made', 'app.get(`/$' + '{x}`, b)', ['/$' + '{x}']],
];

const spread: readonly (readonly [string, Readonly<Record<string, string>>, readonly string[]])[] = [
	[
		'files that an alias names, and not in their documentation',
		{
			'src/index.ts': 'import { app } from "@/server";\napp.listen(env.PORT);',
			'src/server.ts': 'import { users } from "@/api/users";\nexport const app = express();\napp.use("/users", users);',
			'src/api/users.ts':
				'export const users: Router = express.Router();\nregistry.registerPath({\n\tmethod: "get",\n\tpath: "/users",\n});\nusers.get("/", a);\nusers.get("/:id", b);',
		},
		['/users', '/users/:id'],
	],
	[
		'routers that mount routers, as controllers of express have them',
		{
			'src/main.ts': "import routes from './routes';\nconst app = express();\napp.use(routes);\napp.get('/', a);",
			'src/routes.ts':
				"import tags from './tags';\nimport users from './users';\nconst api = Router()\n  .use(tags)\n  .use(users);\nexport default Router().use('/api', api);",
			'src/tags.ts':
				"const router = Router();\nrouter.get('/tags', async (req, res) => { res.json(all(a)); });\nexport default router;",
			'src/users.ts': "const router = Router();\nrouter.get('/user', auth, a);\nexport default router;",
		},
		['/', '/api/tags', '/api/user'],
	],
	[
		'routers of koa that are mounted in their file',
		{
			'server.js': "const routes = require('./routes');\napp.use(routes.routes());",
			'routes.js':
				"const router = new Router();\nconst api = new Router();\napi.get('/tags', a);\nconst users = new Router({ prefix: '/users' });\nusers.get('/me', b);\napi.use(users.routes());\nrouter.use('/api', api.routes(), api.allowedMethods());\nmodule.exports = router;",
		},
		['/api/tags', '/api/users/me'],
	],
	[
		'plugins of fastify in folders',
		{
			'src/app.js':
				"fastify.register(AutoLoad, { dir: path.join(import.meta.dirname, 'routes'), options: { prefix: '/v1' } });",
			'src/routes/root.js': "export default async (fastify) => { fastify.get('/', a); };",
			'src/routes/api/tasks/index.js':
				"export default async (fastify) => { fastify.get('/', a); fastify.get('/:id', b); };",
			'src/routes/api/tasks/index.test.js': "fastify.get('/never', a);",
		},
		['/v1/api/tasks', '/v1/api/tasks/:id', '/v1'],
	],
	[
		'hono with a base path and mounted applications',
		{
			'index.ts':
				"import books from './books';\nconst app = new Hono().basePath('/api');\napp.get('/x', a);\napp.route('/books', books);",
			'books.ts': "const app = new Hono();\napp.get('/all', a);\nexport default app;",
		},
		['/api/x', '/api/books/all'],
	],
	[
		'plugins of fastify with a prefix',
		{
			'app.js':
				"app.register(require('./users'), { prefix: '/users' });\napp.register(items, {\n  prefix: '/items'\n});\nfunction x() {}",
			'users.js': "module.exports = async (fastify) => { fastify.get('/', a); };",
		},
		['/users'],
	],
];

for (const [label, files, routes] of spread) {
	test(`routes are found in ${label}`, async (t) => {
		assert.deepEqual(await routesOf(t, files), routes);
	});
}

for (const [label, text, routes] of alone) {
	test(`routes are found in ${label}`, async (t) => {
		assert.deepEqual(await routesOf(t, { 'server.js': text }), routes);
	});
}

test('routes of files that a program mounts have its prefix, whatever the language of modules', async (t) => {
	const routes = await routesOf(t, {
		'bin/www.js': "const app = require('../app');\nhttp.createServer(app).listen(process.env.PORT);",
		'app.js':
			"import users from './routes/users.js';\napp.use('/users', auth, users);\napp.use('/orders', require('./routes'));\nimport './gone.js';",
		'routes/users.ts': "router.get('/', a); router.get('/:id', b);",
		'routes/index.js': "const { latest: newest } = require('./latest');\nrouter.use('/latest', newest);",
		'routes/latest.js': "router.get('/', a); require('../app');",
	});
	assert.deepEqual(routes, ['/users', '/users/:id', '/orders/latest']);
});

test('routes of plugins have the prefix they are registered with', async (t) => {
	const routes = await routesOf(t, {
		'src/server.ts': "import { notes } from './notes.js';\napp.register(notes, { prefix: '/api/notes' });",
		'src/notes.ts': "app.get('/', a); app.get('/count', b);",
	});
	assert.deepEqual(routes, ['/api/notes', '/api/notes/count']);
});

test("routes of Nest's controllers are found behind modules", async (t) => {
	const routes = await routesOf(t, {
		'src/main.ts': "import { AppModule } from './app.module';\napp.setGlobalPrefix('api');\nawait app.listen(3000);",
		'src/app.module.ts': "import { CatsController } from './cats.controller';",
		'src/cats.controller.ts':
			"@Controller('cats')\nclass C { @Get() all() {} @Get('count') count() {} @Get(':id') one() {} @Post() add() {} }",
	});
	assert.deepEqual(routes, ['/api/cats', '/api/cats/count', '/api/cats/:id']);
});

test('a cycle of imports ends, and no file outside of the folder is read', async (t) => {
	const routes = await routesOf(t, {
		'a.js': "import './b.js'; import '../outside.js'; app.get('/a', x);",
		'b.js': "import './a.js'; app.get('/b', x);",
	});
	assert.deepEqual(routes, ['/a', '/b']);
});

test('a path with a parameter is open', () => {
	for (const route of ['/:id', '/{id}', '/<int:id>', '/*', '/a?', '/(.*)']) assert.equal(isOpen(route), true, route);
	for (const route of ['/', '/a/b.json', '/a-b_c~d']) assert.equal(isOpen(route), false, route);
});
