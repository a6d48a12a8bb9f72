import uWS from 'uWebSockets.js';
import { pikkuHTTPHandler } from '@pikku/uws-handler';
import { wireForAdapter } from '../shared/pikku/application.mjs';

const logger = await wireForAdapter((name) => import(name));
const app = uWS.App();

app.any('/*', pikkuHTTPHandler({ logger, loadSchemas: true }));

const port = Number(process.env.PORT ?? 3000);
app.listen(process.env.HOST ?? '127.0.0.1', port, (listening) => {
	if (!listening) throw new Error(`listen EADDRINUSE: address already in use: port ${port}`);
	process.once('SIGTERM', () => {
		uWS.us_listen_socket_close(listening);
		process.exit(0);
	});
});
