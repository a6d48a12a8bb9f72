/** Every way to listen and to be called that hosting.test.ts leaves out. */
import { describeCluster, describeInProcess } from './hosting.ts';

for (const name of ['fastify', 'hono', 'koa', 'nestjs-express', 'nestjs-fastify', 'tinyhttp-cjs'])
	describeCluster(name);
for (const name of ['fastify', 'fastify-zod', 'pikku-node', 'express', 'koa', 'polka', 'tinyhttp', 'tinyhttp-cjs'])
	describeInProcess(name);
for (const name of ['nestjs-express', 'nestjs-fastify', 'pikku-express', 'pikku-fastify']) describeInProcess(name);
