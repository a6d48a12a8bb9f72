/** What the page of Pikku sets against each other, and how it differs from what is measured here. */

/** Pikku's own adapters are measured only where they are named, because not every registry has them. */
export const PIKKU_WRAPS = {
	'pikku-express': 'express',
	'pikku-express-middleware': 'express',
	'pikku-fastify': 'fastify',
	'pikku-fastify-plugin': 'fastify',
	'pikku-uws': 'uws',
	'pikku-uws-handler': 'uws',
	'pikku-bun': 'bun',
	'pikku-bun-server': 'bun',
} as const;

export const PIKKU_DIFFERENCES = [
	'On the page client and server share one process; here the server has its own, on a CPU of its own.',
	'The schemas of the page validate nothing; here they do.',
	"The page's own servers on uWebSockets.js and Bun do by hand what its other servers use middlewares for.",
	'The code of the page parses JSON on every request to Express; here on the routes that read a body.',
	'Pikku runs on its hosts through short adapters of benchgate. The page has those of Pikku on Express, Fastify and uWebSockets.js, which are pikku-express-middleware, pikku-fastify-plugin and pikku-uws-handler here.',
] as const;
