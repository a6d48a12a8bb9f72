import * as vext from 'vextjs';
import { start } from '../shared/vext/start.mjs';

await start(vext, 'koa', 'default');
