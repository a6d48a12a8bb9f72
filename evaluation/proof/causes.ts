/** Planted causes, fixed before the first run. Each hides in the real difference of two releases. */

export interface PlantedCause {
	readonly name: string;
	readonly repository: 'koa' | 'express';
	readonly base: string;
	/** The cause is added to this release. */
	readonly head: string;
	readonly scenario: string;
	readonly file: string;
	/** Text that occurs once in head's file, and its replacement. */
	readonly find: string;
	readonly plant: string;
}

const KOA = { repository: 'koa', base: 'v3.0.0', head: 'v3.1.1' } as const;
const EXPRESS = { repository: 'express', base: 'v5.0.0', head: 'v5.1.0' } as const;

export const PLANTED_CAUSES: readonly PlantedCause[] = [
	{
		...{ ...KOA, name: 'koa-json-twice', scenario: 'json-post', file: 'lib/application.js' },
		find: '  body = JSON.stringify(body)\n',
		plant:
			'  body = JSON.stringify(body)\n  for (let turn = 0; turn < 12; turn++) body = JSON.stringify(JSON.parse(body))\n',
	},
	{
		...{ ...KOA, name: 'koa-await', scenario: 'ping', file: 'lib/application.js' },
		find: '    return fnMiddleware(ctx).then(handleResponse).catch(onerror)\n',
		plant:
			'    let turns = Promise.resolve()\n    for (let turn = 0; turn < 48; turn++) turns = turns.then(() => undefined)\n    return turns.then(() => fnMiddleware(ctx)).then(handleResponse).catch(onerror)\n',
	},
	{
		...{ ...KOA, name: 'koa-loop', scenario: 'ping', file: 'lib/response.js' },
		find: '  set body (val) {\n',
		plant: '  set body (val) {\n    for (let at = 0; at < 4000; at++) this._turns = (this._turns | 0) + (at % 7)\n',
	},
	{
		...{ ...KOA, name: 'koa-regexp', scenario: 'ping', file: 'lib/request.js' },
		find: '  get method () {\n',
		plant: '  get method () {\n    for (let at = 0; at < 24; at++) /^(?:[a-z]+)+\\d$/.test(this.req.url.slice(1, 9))\n',
	},
	{
		...{ ...KOA, name: 'koa-closures', scenario: 'param-json', file: 'lib/application.js' },
		find: '    context.state = {}\n',
		plant:
			'    context.state = {}\n    const makers = []\n    for (let at = 0; at < 300; at++) makers.push(() => ({ at, url: req.url, context }))\n    context.makers = makers\n',
	},
	{
		...{ ...EXPRESS, name: 'express-json-twice', scenario: 'json-post', file: 'lib/response.js' },
		find: "    this.set('Content-Length', len);\n",
		plant:
			"    this.set('Content-Length', len);\n    for (let turn = 0; turn < 3; turn++) JSON.stringify(JSON.parse(JSON.stringify(Object.assign({}, req.headers))));\n",
	},
	{
		...{ ...EXPRESS, name: 'express-delete', scenario: 'ping', file: 'lib/application.js' },
		find: '  res.req = req;\n',
		plant:
			'  res.req = req;\n  req.extra = {};\n  for (var at = 0; at < 16; at++) req.extra["k" + at] = at;\n  delete req.extra.k3;\n  for (var key in req.extra) req.extra[key] += 1;\n',
	},
	{
		...{ ...EXPRESS, name: 'express-garbage', scenario: 'ping', file: 'lib/response.js' },
		find: '  // settings\n  var app = this.app;\n\n  switch',
		plant:
			'  // settings\n  var app = this.app;\n  app.last = Array.from({ length: 400 }, (_, at) => ({ at }));\n\n  switch',
	},
	{
		...{ ...EXPRESS, name: 'express-scan', scenario: 'param-json', file: 'lib/request.js' },
		find: '  var lc = name.toLowerCase();\n',
		plant:
			'  var lc = name.toLowerCase();\n  for (var turn = 0; turn < 12; turn++) Object.keys(this.headers).sort().indexOf(lc + turn);\n',
	},
	{
		...{ ...EXPRESS, name: 'express-charset', scenario: 'hello-text', file: 'lib/utils.js' },
		find: 'exports.setCharset = function setCharset(type, charset) {\n',
		plant:
			'exports.setCharset = function setCharset(type, charset) {\n  for (var turn = 0; turn < 10; turn++) type = contentType.format(contentType.parse(type));\n',
	},
];
