import { describeAsked } from './asked-routes.ts';

const NAMES = ['express-4', 'koa', 'koa-2', 'nestjs-express', 'nestjs-fastify', 'polka', 'tinyhttp', 'tinyhttp-cjs'];
for (const name of NAMES) describeAsked(name);
