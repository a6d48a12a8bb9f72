/** The servers with the major version before the pinned one, which has to be installed first. */
import { describeServer } from './contract.ts';

describeServer('express', { express: '4.21.2' });
describeServer('fastify', { fastify: '4.29.1' });
describeServer('koa', { koa: '2.16.4' });
