/** Loads tinyhttp with require, from the CommonJS build that it had until version 1. */
import { createRequire } from 'node:module';

export const { App } = createRequire(import.meta.url)('@tinyhttp/app');
