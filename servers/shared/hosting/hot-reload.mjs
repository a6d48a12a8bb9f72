/**
 * Runs a server's program so that each answer says which content the process was started with: `CONTENT=/path/to/content.mjs node --watch
 * ../shared/hosting/hot-reload.mjs server.mjs`. The content is a module with a number, which is watched because it is imported.
 */
import { subscribe } from 'node:diagnostics_channel';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const { default: content } = await import(pathToFileURL(process.env.CONTENT));

// A server of node:http tells of each request before its program sees it.
subscribe('http.server.request.start', ({ response }) => response.setHeader('x-benchgate-content', String(content)));

await import(pathToFileURL(resolve(process.argv[2])));
