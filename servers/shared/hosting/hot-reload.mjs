/**
 * Runs a server's program so that each answer names the content with which the process started:
 * `CONTENT=/path/to/content.mjs node --watch ../shared/hosting/hot-reload.mjs server.mjs`. The content is a module with
 * a number; it is watched because it is imported.
 */
import { subscribe } from 'node:diagnostics_channel';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const { default: content } = await import(pathToFileURL(process.env.CONTENT));

// node:http publishes each request before the program sees it.
subscribe('http.server.request.start', ({ response }) => response.setHeader('x-benchgate-content', String(content)));

await import(pathToFileURL(resolve(process.argv[2])));
