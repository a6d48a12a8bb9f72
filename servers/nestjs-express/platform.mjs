/** Differences of NestJS on Express from NestJS on Fastify. */
import { NestFactory } from '@nestjs/core';
import express from 'express';

export const NAME = 'nestjs-express';

/**
 * An application without the parser that Nest puts before everything: some routes check the token before they read the
 * body.
 */
export const createApp = (module) => NestFactory.create(module, { logger: false, bodyParser: false });

/** Middleware that parses bodies. */
export const parsers = [express.json()];

/** Answers with an ETag, or 304, as Express always does. */
export function sendCached(_request, response, document) {
	response.json(document);
}
