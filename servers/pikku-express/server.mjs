import express from 'express';
import { createApplication } from '../shared/pikku/application.mjs';

const application = await createApplication((name) => import(name));
const parseJson = express.json();
const app = express();

app.use(async (req, res) => {
	const response = await application.answerHost({
		method: req.method,
		path: req.path,
		headers: req.headers,
		query: () => req.query,
		// Read only when a function needs it, so that unauthorised requests are refused first.
		readBody: () =>
			new Promise((resolve, reject) => {
				parseJson(req, res, (error) => (error ? reject(error) : resolve(req.body ?? {})));
			}),
	});
	res.status(response.statusCode).set(response.headers);
	if (response.body === undefined) res.end();
	else res.send(response.body);
});

const server = app.listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? '127.0.0.1', (error) => {
	if (error) throw error;
});

process.once('SIGTERM', () => {
	server.close(() => process.exit(0));
	server.closeAllConnections();
});
