import { STATUS_CODES } from 'node:http';
import { pikkuExpressMiddleware } from '@pikku/express-middleware';
import express from 'express';
import { wireForAdapter } from '../shared/pikku/application.mjs';

const logger = await wireForAdapter((name) => import(name));
const app = express();

app.use(express.json());
app.use(pikkuExpressMiddleware({ logger, loadSchemas: true }));
// Handles only errors of Express: Pikku answers its own.
app.use((error, _req, res, next) => {
	if (res.headersSent) return next(error);
	const status = error.status ?? 500;
	if (status >= 500) console.error(error);
	res.status(status).json({ error: STATUS_CODES[status] });
});

const server = app.listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? '127.0.0.1', (error) => {
	if (error) throw error;
});

process.once('SIGTERM', () => {
	server.close(() => process.exit(0));
	server.closeAllConnections();
});
