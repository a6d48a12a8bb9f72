/** Loads tinyhttp, a package of ES modules, with require, which works since Node 20.19. */
import { createRequire } from 'node:module';

export const { App } = createRequire(import.meta.url)('@tinyhttp/app');
