import uWS from 'uWebSockets.js';
import { pikkuHTTPHandler } from '@pikku/uws-handler';
import { listen } from '../shared/listen-uws.mjs';
import { wireForAdapter } from '../shared/pikku/application.mjs';

const logger = await wireForAdapter((name) => import(name));
const app = uWS.App();

app.any('/*', pikkuHTTPHandler({ logger, loadSchemas: true }));

listen(uWS, app);
