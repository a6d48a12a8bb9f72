/**
 * The dashboard of given records on loopback, gzipped like on any static server, with its script built from the
 * sources.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { siteFiles } from '../../src/site/site-files.ts';
import { trendOf } from '../../src/trend/trend-of.ts';
import type { BaselineRecord } from '../../src/types/baseline.ts';
import type { ChangeNote } from '../../src/types/trend.ts';

const TYPES: Readonly<Record<string, string>> = {
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript',
	'.css': 'text/css',
	'.json': 'application/json',
	'.svg': 'image/svg+xml',
};

export interface ServedSite {
	readonly origin: string;
	/** Bytes of each sent file by its path. */
	readonly sent: ReadonlyMap<string, number>;
	close(): void;
}

/** Builds script and styles of the dashboard, and returns them. */
export function bundleSite(): { readonly script: string; readonly style: string } {
	const bundle = (entry: string) =>
		buildSync({
			entryPoints: [fileURLToPath(new URL(`../../src/site/page/${entry}`, import.meta.url))],
			...{ bundle: true, minify: true, write: false, format: 'iife', target: 'es2022' },
		}).outputFiles[0]?.text ?? '';
	return { script: bundle('site-main.ts'), style: bundle('site.css') };
}

/** Serves the dashboard until `close`. */
export async function serveSite(
	records: readonly BaselineRecord[],
	project: string,
	notes: readonly ChangeNote[] = [],
): Promise<ServedSite> {
	const newest = records.map(({ createdAt }) => createdAt).sort();
	const info = { project, repository: `https://example.org/${project}`, measuredAt: newest.at(-1) ?? null };
	const files = new Map(
		siteFiles(trendOf(records, { notes }), info, bundleSite()).map(({ path, text }) => [`/${path}`, gzipSync(text)]),
	);
	const server = createServer((request, response) => {
		const name = request.url === '/' ? '/index.html' : decodeURI(request.url ?? '');
		const body = files.get(name);
		if (body === undefined) response.writeHead(404).end();
		else response.writeHead(200, { 'content-type': TYPES[extname(name)], 'content-encoding': 'gzip' }).end(body);
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	return {
		origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		sent: new Map([...files].map(([path, body]) => [path, body.length])),
		close: () => void server.close(),
	};
}
