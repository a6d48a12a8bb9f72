/** Differences of NestJS on Fastify from NestJS on Express. */
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import etag from 'etag';
import fresh from 'fresh';

export const NAME = 'nestjs-fastify';

export const createApp = (module) => NestFactory.create(module, new FastifyAdapter(), { logger: false });

/** Body parsers: none, because Fastify parses behind all middleware. */
export const parsers = [];

/** Answers with an ETag, or 304. */
export function sendCached(request, reply, document) {
	const body = JSON.stringify(document);
	const tag = etag(body);
	reply.header('ETag', tag);
	if (fresh(request.headers, { etag: tag })) reply.code(304).send();
	else reply.type('application/json').send(body);
}
