import { randomUUID } from 'node:crypto';
import { createdUser, nestedDocument } from '../../../../fixtures.mjs';
import {
	compute,
	describeUser,
	GREETING,
	LONG_CHAIN,
	responseTime,
	WORK_SIZES,
	waitFor,
} from '../../../../workload.mjs';
import { vext } from '../../../current.mjs';
import { nameRules, profileRules, userRules } from '../../../schemas.mjs';

/** Options of a route behind these layers. */
const behind = (...names) => ({ middlewares: names.map((use) => ({ name: 'layer', options: { use } })) });
const createUser = (req, res) => res.json(createdUser(req.body), 201);

export default vext.defineRoutes((app) => {
	app.get('/ping', (_req, res) => res.json({ ok: true }));
	app.get('/json', (_req, res) => res.json({ message: 'Hello, World!' }));
	app.get('/json/nested', (_req, res) => res.json(nestedDocument()));
	app.get('/items/:id', (req, res) => res.json({ id: req.params.id }));
	app.get('/users/:id', (req, res) => res.json({ id: req.params.id, query: req.query }));
	app.get('/auth/users/:id', behind('authenticate'), (req, res) => res.json({ id: req.params.id }));

	app.post('/users', behind('parse'), createUser);
	app.post('/schema', { ...behind('parse'), validate: { body: nameRules } }, (req, res) =>
		res.json({ echo: req.body.name }),
	);
	app.post(
		'/validate',
		{ ...behind('parse', 'refuseUnknownKeys'), validate: { body: profileRules(vext.schemaAdapter) } },
		(_req, res) => res.json({ valid: true }),
	);
	const validate = { body: userRules };
	app.post('/auth/users', { ...behind('authenticate', 'parse'), validate }, createUser);
	app.post('/rate-limited/users', { ...behind('limit', 'authenticate', 'parse'), validate }, createUser);

	app.get('/middleware', behind('loadSession'), (_req, res) => res.json({ ok: true }));
	app.get(
		'/middleware-5',
		behind('addRequestId', 'logRequest', 'readJwt', 'countClient', 'addPoweredBy'),
		(_req, res) => res.json({ message: 'Hello, World!' }),
	);

	const marks = [1, 2].map((number) => ({ name: 'layer', options: { use: 'mark', number } }));
	app.get('/', (_req, res) => res.text(GREETING));
	app.get('/favicon.ico', (_req, res) => res.status(204).text(''));
	app.get('/user/:id', { middlewares: marks }, (req, res) => res.text(describeUser(req.params.id)));
	app.get('/serialise', (_req, res) => res.json(nestedDocument()));
	app.get('/middleware-chain', behind('addResponseTime', 'addBenchRequestId', 'readCredentials'), (_req, res) =>
		res.json({ message: 'Middleware chain complete', authenticated: true }),
	);
	app.get('/chain', (req, res) => {
		const startedAt = performance.now();
		const requestId = randomUUID();
		res.setHeader('X-Bench-Request-Id', requestId);
		req.credentials = req.headers.authorization;
		res.setHeader('X-Response-Time', responseTime(startedAt));
		res.json({ message: 'Chain complete', requestId, authenticated: true });
	});
	app.post(
		'/full',
		{ ...behind('loadSession', 'touchSession', 'allow', 'parse'), validate: { body: nameRules } },
		(req, res) => res.json({ echo: req.body.name }),
	);
	app.get('/middleware-0', (_req, res) => res.json({ passed: 0 }));
	app.get('/middleware-20', behind(...Array(LONG_CHAIN).fill('pass')), (req, res) => res.json({ passed: req.passed }));
	for (const size of WORK_SIZES) {
		app.get(`/cpu/${size}`, (_req, res) => res.json(compute(size)));
		app.get(`/wait/${size}`, async (_req, res) => res.json(await waitFor(size)));
	}
});
