/** Routes for browsers, with Hono's own helpers and middleware. Loaded at the first such request. */
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { cors } from 'hono/cors';
import { HTTPException } from 'hono/http-exception';
import { CROSS_ORIGIN, newPlace, uploaded, VISITOR_COOKIE, visitOf } from '../shared/browser.mjs';
import { createdUser } from '../shared/fixtures.mjs';

export function makeBrowser({ onError, notFound }) {
	const app = new Hono().basePath('/browser');
	const { origin, methods, headers, maxAgeSeconds: maxAge } = CROSS_ORIGIN;

	app.use(
		'/static/*',
		serveStatic({ root: '../shared/public', rewriteRequestPath: (path) => path.replace(/^\/browser\/static/, '') }),
	);
	app.get('/cookies', (c) => {
		const visit = visitOf(getCookie(c));
		setCookie(c, 'visitor', visit.visitor, VISITOR_COOKIE);
		return c.json(visit);
	});
	app.get('/old/:id', (c) => c.redirect(newPlace(c.req.param('id'))));
	app.post('/form', async (c) => c.json(createdUser(await c.req.parseBody()), 201));
	app.post('/upload', async (c) => {
		const { title, file } = await c.req.parseBody();
		if (!(file instanceof File)) throw new HTTPException(400);
		return c.json(uploaded(title, file.name, file.size), 201);
	});

	app.use('/cors/*', cors({ origin, allowMethods: methods, allowHeaders: headers, maxAge }));
	app.get('/cors/items/:id', (c) => c.json({ id: c.req.param('id') }));

	return app.notFound(notFound).onError(onError);
}
