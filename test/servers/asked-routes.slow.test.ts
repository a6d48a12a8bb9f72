import { describeAsked } from './asked-routes.ts';

for (const name of ['express-4', 'koa', 'koa-2', 'polka', 'tinyhttp', 'tinyhttp-cjs']) describeAsked(name);
