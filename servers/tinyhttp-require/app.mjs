/** How tinyhttp is loaded: with require, which a package of ES modules lets Node do since 20.19. */
import { createRequire } from 'node:module';

export const { App } = createRequire(import.meta.url)('@tinyhttp/app');
