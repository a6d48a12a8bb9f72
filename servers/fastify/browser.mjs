/** Routes for browsers, with the usual plugins of Fastify. Loaded at the first such request. */
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import session from '@fastify/session';
import files from '@fastify/static';
import Fastify from 'fastify';
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

/**
 * @param server Parts of the main server: `anyMajor`, `httpError` and both handlers.
 */
export async function makeBrowser({ anyMajor, httpError, onError, onNotFound }) {
	const app = Fastify();
	app.setErrorHandler(onError);
	app.setNotFoundHandler(onNotFound);

	// Each plugin has a scope to itself, because its hooks run for all routes of the scope.
	app.register(anyMajor(files), { root: PUBLIC, prefix: '/browser/static/' });

	// The parser option for all routes has a different name in each major version.
	app.get('/browser/search', async (request) => qs.parse(request.url.split('?')[1]));
	app.get('/browser/old/:id', async (request, reply) => reply.redirect(newPlace(request.params.id)));

	app.register(async (forms) => {
		await forms.register(anyMajor(formbody));
		forms.post('/browser/form', async (request, reply) => {
			reply.code(201);
			return createdUser(request.body);
		});
	});

	app.register(async (uploads) => {
		await uploads.register(anyMajor(multipart), { limits: { fileSize: UPLOAD_LIMIT } });
		uploads.post('/browser/upload', async (request, reply) => {
			const file = await request.file();
			if (file === undefined) throw httpError(400);
			const content = await file.toBuffer();
			reply.code(201);
			return uploaded(file.fields.title.value, file.filename, content.length);
		});
	});

	app.register(async (visits) => {
		await visits.register(anyMajor(cookie));
		visits.get('/browser/cookies', async (request, reply) => {
			const visit = visitOf(request.cookies);
			reply.setCookie('visitor', visit.visitor, VISITOR_COOKIE);
			return visit;
		});
	});

	app.register(async (shared) => {
		const { origin, methods, headers: allowedHeaders, maxAgeSeconds: maxAge } = CROSS_ORIGIN;
		await shared.register(anyMajor(cors), { origin, methods, allowedHeaders, maxAge });
		shared.get('/browser/cors/items/:id', async (request) => ({ id: request.params.id }));
	});

	app.register(async (known) => {
		await known.register(anyMajor(cookie));
		await known.register(anyMajor(session), {
			secret: SESSION_SECRET,
			cookie: { secure: false },
			saveUninitialized: false,
		});
		known.post('/browser/session', async (request) => {
			request.session.user = benchSession();
			return request.session.user;
		});
		known.get('/browser/session', async (request) => {
			if (request.session.user === undefined) throw httpError(401);
			return request.session.user;
		});
	});

	return app.ready();
}
