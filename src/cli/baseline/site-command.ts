/** `benchgate baseline site`. */
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename, dirname, extname, join } from 'node:path';
import { execa } from 'execa';
import { writeOutput } from '../../output/write-files.ts';
import { QUESTION_MS } from '../../process/deadline.ts';
import { TOOL_ROOT } from '../../process/entries.ts';
import { withInterrupt } from '../../process/interrupt.ts';
import { type SiteFile, siteFiles } from '../../site/site-files.ts';
import { countOf } from '../../text/numbers.ts';
import { trendOf } from '../../trend/trend-of.ts';
import { EXIT, UserError } from '../../types/errors.ts';
import { readSiteAssets } from '../../version.ts';
import { readStore, type StoreFlags, storeFlag } from './local-store.ts';
import { newestFirst } from './render-baselines.ts';

/** Remotes of hosts with commit pages: `https://HOST/OWNER/NAME(.git)`, `git@HOST:OWNER/NAME.git`. */
const REMOTE = /^(?:https?:\/\/(?:[^@/]+@)?|ssh:\/\/git@|git@)([\w.-]+(?::\d+)?)[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/;

export interface SiteFlags extends StoreFlags {
	readonly output: string;
	readonly open?: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.json': 'application/json',
	'.svg': 'image/svg+xml',
};

export async function runBaselineSite(flags: SiteFlags): Promise<number> {
	const { records, notes } = await readStore(flags);
	const [newest] = newestFirst(records);
	if (newest === undefined) throw noBaselines(flags.store);
	const info = { ...(await nameProject(process.cwd())), measuredAt: newest.createdAt };
	const files = siteFiles(trendOf(records, { notes }), info, readSiteAssets(TOOL_ROOT));
	if (flags.open === true) return serve(files);
	for (const { path, text } of files) {
		const target = join(flags.output, path);
		await mkdir(dirname(target), { recursive: true });
		await writeOutput({ flag: '--output', path: target, content: text });
	}
	process.stdout.write(
		`Wrote the dashboard of ${countOf(records.length, 'baseline')} to ${flags.output}. Look at it: benchgate baseline site --open${storeFlag(flags)}\n`,
	);
	return EXIT.passed;
}

function noBaselines(store: string): UserError {
	return new UserError({
		code: 'no-baselines',
		where: `--store ${store}`,
		message: 'there are no baselines to draw',
		remedy: 'name the place that has them: branch:NAME or dir:PATH; or measure one: benchgate baseline --save',
	});
}

async function serve(files: readonly SiteFile[]): Promise<number> {
	const byPath = new Map(files.map(({ path, text }) => [`/${path}`, text]));
	const server = createServer((request, response) => {
		const name = siteFileAt(request.url ?? '/');
		const text = byPath.get(name);
		response.writeHead(text === undefined ? 404 : 200, {
			'content-type': TYPES[extname(name)] ?? 'text/plain; charset=utf-8',
			'cache-control': 'no-store',
			'x-content-type-options': 'nosniff',
		});
		response.end(request.method === 'HEAD' ? undefined : (text ?? 'There is no such file.\n'));
	});
	await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
	process.stdout.write(`The dashboard is at ${url} until Ctrl-C.\n`);
	openBrowser(url);
	const progress = { step: () => {}, status: () => {} };
	try {
		await withInterrupt(
			progress,
			(signal) => new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
		);
	} catch (error) {
		if ((error as Error).name !== 'Interrupted') throw error;
	} finally {
		server.close();
		server.closeAllConnections();
	}
	return EXIT.passed;
}

/** Returns the file path of a request URL. Never throws: any page in the browser can request anything. */
export function siteFileAt(url: string): string {
	const path = url.split('?')[0] || '/';
	if (path === '/') return '/index.html';
	try {
		return decodeURI(path);
	} catch {
		return path;
	}
}

/** Errors are ignored: the address was printed. */
function openBrowser(url: string): void {
	const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
	spawn(program, [url], { stdio: 'ignore', detached: true })
		.on('error', () => {})
		.unref();
}

async function nameProject(cwd: string): Promise<{ readonly project: string; readonly repository: string | null }> {
	const { stdout } = await execa('git', ['remote', 'get-url', 'origin'], { cwd, reject: false, timeout: QUESTION_MS });
	const [, host, path] = REMOTE.exec(String(stdout ?? '').trim()) ?? [];
	if (host === undefined || path === undefined) return { project: basename(cwd), repository: null };
	return { project: path, repository: `https://${host}/${path}` };
}
