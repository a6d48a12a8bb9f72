/** Routes for browsers, with the usual middleware of Koa. Loaded at the first such request. */
import { bodyParser } from '@koa/bodyparser';
import cors from '@koa/cors';
import multer from '@koa/multer';
import Router from '@koa/router';
import Koa from 'koa';
import send from 'koa-send';
import session from 'koa-session';
import qs from 'qs';
import {
	CROSS_ORIGIN,
	newPlace,
	PUBLIC,
	SESSION_SECRET,
	UPLOAD_LIMIT,
	uploaded,
	VISITOR_COOKIE,
	visitOf,
} from '../shared/browser.mjs';
import { benchSession, createdUser } from '../shared/fixtures.mjs';

/** Returns a request listener. */
export function makeBrowser(answerErrors) {
	const app = new Koa();
	app.keys = [SESSION_SECRET];
	const sessions = session(app);
	const { origin, methods, headers, maxAgeSeconds: maxAge } = CROSS_ORIGIN;
	const crossOrigin = cors({ origin, allowMethods: methods, allowHeaders: headers, maxAge });
	const upload = multer({ storage: multer.memoryStorage(), limits: { fileSize: UPLOAD_LIMIT } });
	const router = new Router({ prefix: '/browser' });

	router.get('/static/:file', (ctx) => send(ctx, ctx.params.file, { root: PUBLIC }));
	router.get('/cookies', (ctx) => {
		const visit = visitOf({ theme: ctx.cookies.get('theme'), visitor: ctx.cookies.get('visitor') });
		ctx.cookies.set('visitor', visit.visitor, VISITOR_COOKIE);
		ctx.body = visit;
	});
	router.get('/search', (ctx) => {
		ctx.body = qs.parse(ctx.querystring);
	});
	router.get('/old/:id', (ctx) => ctx.redirect(newPlace(ctx.params.id)));
	router.post('/form', bodyParser({ enableTypes: ['form'] }), (ctx) => {
		ctx.status = 201;
		ctx.body = createdUser(ctx.request.body);
	});
	router.post('/upload', upload.single('file'), (ctx) => {
		if (ctx.file === undefined) ctx.throw(400);
		ctx.status = 201;
		ctx.body = uploaded(ctx.request.body.title, ctx.file.originalname, ctx.file.size);
	});

	router.all('/cors/items/:id', crossOrigin, (ctx) => {
		ctx.body = { id: ctx.params.id };
	});

	router.post('/session', sessions, (ctx) => {
		ctx.session.user = benchSession();
		ctx.body = ctx.session.user;
	});
	router.get('/session', sessions, (ctx) => {
		if (ctx.session.user === undefined) ctx.throw(401);
		ctx.body = ctx.session.user;
	});

	app.on('error', (error) => {
		// A client may leave before a file is sent.
		if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') console.error(error);
	});
	app.use(answerErrors);
	app.use(router.routes());
	return app.callback();
}
