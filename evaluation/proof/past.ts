/**
 * Past slowdowns, fixed before the first run, from pull requests and issues of the maintainers. For a pull request that
 * made something faster, head is the commit before it. Sixteen were added, each before its first run, when as many of
 * the others were not slower with these servers; fastify-bind, when a change for speed turned out to slow servers down.
 */

export interface PastRegression {
	readonly name: string;
	readonly repository: 'express' | 'fastify' | 'koa' | 'router' | 'hono' | 'find-my-way';
	/** The faster one. */
	readonly base: string;
	readonly head: string;
	readonly server: string;
	readonly scenario: string;
	/** Files that the source names, or that its change has. */
	readonly expected: readonly string[];
	readonly source: string;
}

const FASTIFY = { repository: 'fastify', server: 'fastify' } as const;
const HONO = { repository: 'hono', server: 'hono' } as const;
const KOA = { repository: 'koa', server: 'koa-2' } as const;

export const PAST_REGRESSIONS: readonly PastRegression[] = [
	{
		...{ ...FASTIFY, name: 'fastify-content-type', scenario: 'json-post', base: 'v5.7.1', head: 'v5.7.2' },
		expected: ['lib/content-type.js', 'lib/content-type-parser.js', 'lib/handle-request.js'],
		source: 'https://github.com/fastify/fastify/pull/6414',
	},
	{
		...{ ...FASTIFY, name: 'fastify-uncached-type', scenario: 'json-post', base: '4965dacea', head: '4965dacea~1' },
		expected: ['lib/content-type-parser.js', 'lib/handle-request.js'],
		source: 'https://github.com/fastify/fastify/pull/6694',
	},
	{
		...{ ...FASTIFY, name: 'fastify-lifecycle', scenario: 'ping', base: '5f4871f93', head: '5f4871f93~1' },
		expected: [
			'lib/route.js',
			'lib/reply.js',
			'lib/validation.js',
			'lib/req-id-gen-factory.js',
			'lib/logger-factory.js',
		],
		source: 'https://github.com/fastify/fastify/pull/6831',
	},
	{
		...{ ...HONO, name: 'hono-json', scenario: 'json-hello', base: '212c64f2~1', head: '212c64f2' },
		expected: ['src/context.ts'],
		source: 'https://github.com/honojs/hono/pull/4757',
	},
	{
		...{ ...HONO, name: 'hono-fetch', scenario: 'ping', base: '640b756f~1', head: '640b756f' },
		expected: ['src/hono-base.ts'],
		source: 'https://github.com/honojs/hono/pull/5184',
	},
	{
		...{ ...HONO, name: 'hono-env', scenario: 'ping', base: '3fbbd96a~1', head: '3fbbd96a' },
		expected: ['src/context.ts'],
		source: 'https://github.com/honojs/hono/pull/5186',
	},
	{
		...{ ...KOA, name: 'koa-eager', scenario: 'ping', base: '162a5b3', head: '162a5b3~1' },
		expected: ['lib/application.js', 'lib/context.js', 'lib/request.js'],
		source: 'https://github.com/koajs/koa/pull/1216',
	},
	{
		...{ ...KOA, name: 'koa-content-type', scenario: 'json-hello', base: 'c6b8782', head: 'c6b8782~1' },
		expected: ['lib/response.js', 'package.json'],
		source: 'https://github.com/koajs/koa/pull/1218',
	},
	{
		...{ repository: 'express', server: 'express', name: 'express-5', scenario: 'param-json' },
		...{ base: '4.21.2', head: 'v5.0.0' },
		expected: ['package.json', 'lib/router/index.js', 'lib/router/layer.js'],
		source: 'https://github.com/expressjs/perf-wg/issues/21',
	},
	{
		...{ repository: 'find-my-way', server: 'fastify', name: 'find-my-way-lookup', scenario: 'param-json' },
		...{ base: 'b3aca1e', head: 'b3aca1e~1' },
		expected: ['index.js', 'lib/node.js', 'lib/url-sanitizer.js'],
		source: 'https://github.com/delvedor/find-my-way/pull/447',
	},
	{
		...{ ...FASTIFY, name: 'fastify-serializer', scenario: 'param-json', base: '6c6905052', head: '6c6905052~1' },
		expected: ['lib/schemas.js', 'lib/content-type-parser.js'],
		source: 'https://github.com/fastify/fastify/pull/6692',
	},
	{
		...{ ...FASTIFY, name: 'fastify-async-resource', scenario: 'json-post', base: 'b84061926', head: 'b84061926~1' },
		expected: ['lib/contentTypeParser.js'],
		source: 'https://github.com/fastify/fastify/pull/6262',
	},
	{
		...{ ...FASTIFY, name: 'fastify-typeof', scenario: 'ping', base: 'aab339f7b', head: 'aab339f7b~1' },
		expected: ['lib/reply.js'],
		source: 'https://github.com/fastify/fastify/pull/6693',
	},
	{
		...{ ...HONO, name: 'hono-headers', scenario: 'json-hello', base: '2739eb5c', head: '2739eb5c~1' },
		expected: ['src/context.ts'],
		source: 'https://github.com/honojs/hono/pull/5122',
	},
	{
		...{ ...HONO, name: 'hono-record', scenario: 'json-hello', base: '600a8ccd', head: '600a8ccd~1' },
		expected: ['src/context.ts'],
		source: 'https://github.com/honojs/hono/pull/5118',
	},
	{
		...{ ...FASTIFY, name: 'fastify-bind', scenario: 'json-post', base: 'b84061926~1', head: 'b84061926' },
		expected: ['lib/contentTypeParser.js'],
		source: 'https://github.com/fastify/fastify/pull/6262',
	},
	{
		...{ ...HONO, name: 'hono-fast-path', scenario: 'json-hello', base: '7438ab93', head: '7438ab93~1' },
		expected: ['src/context.ts'],
		source: 'https://github.com/honojs/hono/pull/4707',
	},
	{
		...{ ...HONO, name: 'hono-response', scenario: 'json-hello', base: 'a340a25f', head: 'a340a25f~1' },
		expected: ['src/context.ts'],
		source: 'https://github.com/honojs/hono/pull/4733',
	},
	{
		...{ ...FASTIFY, name: 'fastify-spoofing', scenario: 'json-post', base: 'v4.10.1', head: 'v4.10.2' },
		expected: ['lib/contentTypeParser.js'],
		source: 'https://github.com/fastify/fastify/security/advisories/GHSA-3fjj-p79j-c9hh',
	},
	{
		...{ repository: 'koa', server: 'koa', name: 'koa-search-params', scenario: 'param-query' },
		...{ base: '7cf1462~1', head: '7cf1462' },
		expected: ['lib/request.js'],
		source: 'https://github.com/koajs/koa/pull/1828',
	},
	{
		...{ ...HONO, name: 'hono-url', scenario: 'param-query', base: '62edfe2c', head: '62edfe2c~1' },
		expected: ['src/utils/url.ts', 'src/request.ts'],
		source: 'https://github.com/honojs/hono/pull/5121',
	},
	{
		...{ ...HONO, name: 'hono-body-cache', scenario: 'json-post', base: 'fc8bd834', head: 'fc8bd834~1' },
		expected: ['src/request.ts'],
		source: 'https://github.com/honojs/hono/pull/5176',
	},
	{
		...{ repository: 'router', server: 'koa', name: 'koa-router-debuglog', scenario: 'many-routes-100' },
		...{ base: '4331e1f', head: '4331e1f~1' },
		expected: ['lib/router.js', 'package.json'],
		source: 'https://github.com/koajs/router/issues/197',
	},
	{
		...{ repository: 'router', server: 'koa', name: 'koa-router-debuglog-12', scenario: 'many-routes-100' },
		...{ base: '04884de', head: '04884de~1' },
		expected: ['lib/router.js', 'package.json'],
		source: 'https://github.com/koajs/router/pull/173',
	},
	{
		...{ repository: 'koa', server: 'koa', name: 'koa-cookies', scenario: 'cookies' },
		...{ base: '988ebec~1', head: '988ebec' },
		expected: ['package.json', 'package-lock.json'],
		source: 'https://github.com/koajs/koa/pull/1846',
	},
	{
		...{ ...FASTIFY, name: 'fastify-trailers', scenario: 'ping', base: '8a1234e79~1', head: '8a1234e79' },
		expected: ['lib/reply.js'],
		source: 'https://github.com/fastify/fastify/pull/3794',
	},
];
