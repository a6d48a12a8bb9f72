/** Planted causes, fixed before the first run. Each hides in the real difference of two releases. */

export interface PlantedCause {
	readonly name: string;
	readonly repository: 'koa' | 'express' | 'fastify' | 'find-my-way';
	/** The one with the name of the repository, if not given. */
	readonly server?: string;
	readonly base: string;
	/** The cause is added to this release. */
	readonly head: string;
	readonly scenario: string;
	readonly file: string;
	/** The innermost function of the release around the cause. */
	readonly function: string;
	/** Text that occurs once in head's file, and its replacement. */
	readonly find: string;
	readonly plant: string;
}

const KOA = { repository: 'koa', base: 'v3.0.0', head: 'v3.1.1' } as const;
const EXPRESS = { repository: 'express', base: 'v5.0.0', head: 'v5.1.0' } as const;
const EXPRESS_4 = { repository: 'express', server: 'express-4', base: '4.19.2', head: '4.21.2' } as const;
const FASTIFY = { repository: 'fastify', base: 'v5.7.4', head: 'v5.8.5' } as const;
const FIND_MY_WAY = { repository: 'find-my-way', server: 'fastify', base: 'v9.3.0', head: 'v9.6.0' } as const;

/** Adds `code` behind the text. */
function behind(find: string, code: string) {
	return { find, plant: find + code };
}

export const PLANTED_CAUSES: readonly PlantedCause[] = [
	{
		...{ ...KOA, name: 'koa-json-twice', function: 'respond', scenario: 'json-post', file: 'lib/application.js' },
		find: '  body = JSON.stringify(body)\n',
		plant:
			'  body = JSON.stringify(body)\n  for (let turn = 0; turn < 12; turn++) body = JSON.stringify(JSON.parse(body))\n',
	},
	{
		...{ ...KOA, name: 'koa-await', function: 'handleRequest', scenario: 'ping', file: 'lib/application.js' },
		find: '    return fnMiddleware(ctx).then(handleResponse).catch(onerror)\n',
		plant:
			'    let turns = Promise.resolve()\n    for (let turn = 0; turn < 48; turn++) turns = turns.then(() => undefined)\n    return turns.then(() => fnMiddleware(ctx)).then(handleResponse).catch(onerror)\n',
	},
	{
		...{ ...KOA, name: 'koa-loop', function: 'body', scenario: 'ping', file: 'lib/response.js' },
		find: '  set body (val) {\n',
		plant: '  set body (val) {\n    for (let at = 0; at < 4000; at++) this._turns = (this._turns | 0) + (at % 7)\n',
	},
	{
		...{ ...KOA, name: 'koa-regexp', function: 'method', scenario: 'ping', file: 'lib/request.js' },
		find: '  get method () {\n',
		plant: '  get method () {\n    for (let at = 0; at < 24; at++) /^(?:[a-z]+)+\\d$/.test(this.req.url.slice(1, 9))\n',
	},
	{
		...{ ...KOA, name: 'koa-closures', function: 'createContext', scenario: 'param-json', file: 'lib/application.js' },
		find: '    context.state = {}\n',
		plant:
			'    context.state = {}\n    const makers = []\n    for (let at = 0; at < 300; at++) makers.push(() => ({ at, url: req.url, context }))\n    context.makers = makers\n',
	},
	{
		...{ ...EXPRESS, name: 'express-json-twice', function: 'send', scenario: 'json-post', file: 'lib/response.js' },
		find: "    this.set('Content-Length', len);\n",
		plant:
			"    this.set('Content-Length', len);\n    for (let turn = 0; turn < 3; turn++) JSON.stringify(JSON.parse(JSON.stringify(Object.assign({}, req.headers))));\n",
	},
	{
		...{ ...EXPRESS, name: 'express-delete', function: 'handle', scenario: 'ping', file: 'lib/application.js' },
		find: '  res.req = req;\n',
		plant:
			'  res.req = req;\n  req.extra = {};\n  for (var at = 0; at < 16; at++) req.extra["k" + at] = at;\n  delete req.extra.k3;\n  for (var key in req.extra) req.extra[key] += 1;\n',
	},
	{
		...{ ...EXPRESS, name: 'express-garbage', function: 'send', scenario: 'ping', file: 'lib/response.js' },
		find: '  // settings\n  var app = this.app;\n\n  switch',
		plant:
			'  // settings\n  var app = this.app;\n  app.last = Array.from({ length: 400 }, (_, at) => ({ at }));\n\n  switch',
	},
	{
		...{ ...EXPRESS, name: 'express-scan', function: 'header', scenario: 'param-json', file: 'lib/request.js' },
		find: '  var lc = name.toLowerCase();\n',
		plant:
			'  var lc = name.toLowerCase();\n  for (var turn = 0; turn < 12; turn++) Object.keys(this.headers).sort().indexOf(lc + turn);\n',
	},
	{
		...{ ...EXPRESS, name: 'express-charset', function: 'setCharset', scenario: 'hello-text', file: 'lib/utils.js' },
		find: 'exports.setCharset = function setCharset(type, charset) {\n',
		plant:
			'exports.setCharset = function setCharset(type, charset) {\n  for (var turn = 0; turn < 10; turn++) type = contentType.format(contentType.parse(type));\n',
	},
	{
		...{ ...KOA, name: 'koa-middleware', function: 'callback', scenario: 'ping', file: 'lib/application.js' },
		...behind(
			'  callback () {\n',
			'    for (let at = 0; at < 60; at++) this.middleware.unshift(async (ctx, next) => { await next() })\n',
		),
	},
	{
		...{ ...KOA, name: 'koa-scan', function: 'length', scenario: 'param-json', file: 'lib/response.js' },
		...behind(
			'  set length (n) {\n',
			'    for (let at = 0; at < 60; at++) Object.keys(this.res.getHeaders()).sort().indexOf(String(n))\n',
		),
	},
	{
		...{ ...KOA, name: 'koa-delete', function: 'createContext', scenario: 'json-hello', file: 'lib/application.js' },
		...behind(
			'    context.state = {}\n',
			"    for (let at = 0; at < 80; at++) context.state['k' + at] = at\n    delete context.state.k3\n    for (const key in context.state) delete context.state[key]\n",
		),
	},
	{
		...{ ...KOA, name: 'koa-garbage', function: 'type', scenario: 'ping', file: 'lib/response.js' },
		...behind('  set type (type) {\n', '    this.app.last = Array.from({ length: 800 }, (_, at) => ({ at }))\n'),
	},
	{
		...{ ...FASTIFY, name: 'fastify-json-twice', function: 'onSendHook', scenario: 'json-post', file: 'lib/reply.js' },
		...behind(
			'function onSendHook (reply, payload) {\n',
			"  if (typeof payload === 'string' && payload[0] === '{') {\n    for (let turn = 0; turn < 20; turn++) payload = JSON.stringify(JSON.parse(payload))\n  }\n",
		),
	},
	{
		...{ ...FASTIFY, name: 'fastify-middleware', function: 'fastify', scenario: 'ping', file: 'fastify.js' },
		...behind(
			'  // Set the default 404 handler\n',
			"  for (let at = 0; at < 40; at++) fastify.addHook('onRequest', async () => {})\n",
		),
	},
	{
		...{
			...FASTIFY,
			name: 'fastify-await',
			function: 'preHandlerCallbackInner',
			scenario: 'ping',
			file: 'lib/handle-request.js',
		},
		...behind(
			'      result = context.handler(request, reply)\n',
			'      let turns = Promise.resolve()\n      for (let turn = 0; turn < 60; turn++) turns = turns.then(() => undefined)\n',
		),
	},
	{
		...{ ...FASTIFY, name: 'fastify-loop', function: 'routeHandler', scenario: 'param-json', file: 'lib/route.js' },
		...behind(
			'    const id = getGenReqId(context.server, req)\n',
			'    let turns = 0\n    for (let at = 0; at < 15000; at++) turns = (turns + at) % 1013\n    req.turns = turns\n',
		),
	},
	{
		...{
			...FASTIFY,
			name: 'fastify-regexp',
			function: 'getParser',
			scenario: 'json-post',
			file: 'lib/content-type-parser.js',
		},
		...behind(
			'  const ct = contentType.toString()\n\n',
			'  for (let at = 0; at < 24; at++) /^(?:[a-z]+)+\\d$/.test(ct.slice(0, 9))\n',
		),
	},
	{
		...{
			...FASTIFY,
			name: 'fastify-closures',
			function: 'safeWriteHead',
			scenario: 'param-json',
			file: 'lib/reply.js',
		},
		...behind(
			'function safeWriteHead (reply, statusCode) {\n',
			'  const makers = []\n  for (let at = 0; at < 300; at++) makers.push(() => ({ at, reply, statusCode }))\n  reply.raw.makers = makers\n',
		),
	},
	{
		...{ ...FASTIFY, name: 'fastify-delete', function: 'getHeader', scenario: 'json-hello', file: 'lib/reply.js' },
		...behind(
			'Reply.prototype.getHeader = function (key) {\n',
			"  const extra = {}\n  for (let at = 0; at < 60; at++) extra['k' + at] = at\n  delete extra.k3\n  for (const name in extra) extra[name] += 1\n",
		),
	},
	{
		...{
			...FASTIFY,
			name: 'fastify-garbage',
			function: 'preHandlerCallback',
			scenario: 'ping',
			file: 'lib/handle-request.js',
		},
		...behind(
			'function preHandlerCallback (err, request, reply) {\n',
			'  request.server.last = Array.from({ length: 500 }, (_, at) => ({ at }))\n',
		),
	},
	{
		...{ ...FIND_MY_WAY, name: 'find-my-way-loop', function: 'find', scenario: 'param-json', file: 'index.js' },
		...behind(
			'  const maxParamLength = this.maxParamLength\n',
			'  let turns = 0\n  for (let at = 0; at < 15000; at++) turns = (turns + at) % 1013\n  this.turns = turns\n',
		),
	},
	{
		...{
			...FIND_MY_WAY,
			name: 'find-my-way-regexp',
			function: 'safeDecodeURI',
			scenario: 'param-json',
			file: 'lib/url-sanitizer.js',
		},
		...behind(
			'  let shouldDecodeParam = false\n',
			'  for (let at = 0; at < 200; at++) /^(?:[a-z]+)+\\d$/.test(path.slice(1, 6))\n',
		),
	},
	{
		...{
			...FIND_MY_WAY,
			name: 'find-my-way-scan',
			function: 'findStaticMatchingChild',
			scenario: 'param-json',
			file: 'lib/node.js',
		},
		...behind(
			'  findStaticMatchingChild (path, pathIndex) {\n',
			'    for (let at = 0; at < 60; at++) Object.keys(this.staticChildren).sort().indexOf(path)\n',
		),
	},
	{
		...{
			...FIND_MY_WAY,
			name: 'find-my-way-json-twice',
			function: 'getMatchingHandler',
			scenario: 'ping',
			file: 'lib/handler-storage.js',
		},
		...behind(
			'  getMatchingHandler (derivedConstraints) {\n',
			"    for (let turn = 0; turn < 20; turn++) JSON.parse(JSON.stringify({ turn, constraints: this.constraints, names: ['host', 'version'] }))\n",
		),
	},
	{
		...{ ...EXPRESS, name: 'express-middleware', function: 'getrouter', scenario: 'ping', file: 'lib/application.js' },
		...behind(
			"          strict: this.enabled('strict routing')\n        });\n",
			'        for (var at = 0; at < 80; at++) router.use(function pass(req, res, next) { next(); });\n',
		),
	},
	{
		...{ ...EXPRESS, name: 'express-loop', function: 'generateETag', scenario: 'param-json', file: 'lib/utils.js' },
		...behind(
			'  return function generateETag (body, encoding) {\n',
			'    var turns = 0;\n    for (var at = 0; at < 30000; at++) turns = (turns + at) % 1013;\n    options.turns = turns;\n',
		),
	},
	{
		...{ ...EXPRESS, name: 'express-regexp', function: 'json', scenario: 'json-post', file: 'lib/response.js' },
		...behind(
			'res.json = function json(obj) {\n',
			"  for (var at = 0; at < 40; at++) /^(?:[a-z]+)+\\d$/.test('abcdefghi');\n",
		),
	},
	{
		...{ ...EXPRESS, name: 'express-closures', function: 'handle', scenario: 'ping', file: 'lib/application.js' },
		...behind(
			'  req.res = res;\n',
			'  var makers = [];\n  for (let at = 0; at < 600; at++) makers.push(function make() { return { at: at, url: req.url, res: res }; });\n  req.makers = makers;\n',
		),
	},
	{
		...{ ...EXPRESS, name: 'express-await', function: 'handle', scenario: 'param-json', file: 'lib/application.js' },
		find: '  this.router.handle(req, res, done);\n',
		plant:
			'  var turns = Promise.resolve();\n  for (var turn = 0; turn < 150; turn++) turns = turns.then(function pass() {});\n  turns.then(() => this.router.handle(req, res, done));\n',
	},
	{
		...{ ...EXPRESS_4, name: 'express-4-scan', function: 'match', scenario: 'param-json', file: 'lib/router/layer.js' },
		...behind(
			'Layer.prototype.match = function match(path) {\n',
			'  for (var at = 0; at < 2; at++) Object.keys(this).sort().indexOf(path);\n',
		),
	},
	{
		...{ ...EXPRESS_4, name: 'express-4-json-twice', function: 'json', scenario: 'json-post', file: 'lib/response.js' },
		...behind(
			'  var body = stringify(val, replacer, spaces, escape)\n\n',
			'  for (var turn = 0; turn < 12; turn++) body = JSON.stringify(JSON.parse(body));\n',
		),
	},
];
