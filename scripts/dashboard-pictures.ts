/**
 * Draws the pictures of the dashboard from the repository's own baselines of fastify: `node
 * scripts/dashboard-pictures.ts [FOLDER]`. Draws every view on a wide screen, on a phone and in the dark into
 * docs/images/dashboard, or FOLDER, and dashboard.png of docs/baselines.md. Needs Chromium (`CHROMIUM`, else
 * /usr/bin/chromium).
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type PageScreenshotOptions } from 'playwright-core';
import { VIEWS } from '../src/site/site-files.ts';
import { folderStore } from '../src/store/folder-store.ts';
import { serveSite } from '../test/site/serve-site.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = process.argv[2] ?? join(ROOT, 'docs/images/dashboard');
const ROW_PICTURE = join(process.argv[2] ?? join(ROOT, 'docs/images'), 'dashboard.png');

const ROW = 'row/fastify/json-post';
const PAGES: readonly (readonly [name: string, path: string])[] = [
	...VIEWS.map(([view]) => [view, view] as const),
	['row', ROW],
];
/** Pixels; a taller picture would need scrolling. */
const TALLEST = 1_600;

interface Screen {
	readonly width: number;
	readonly height: number;
	readonly colorScheme: 'light' | 'dark';
}
const SCREENS: Readonly<Record<string, Screen>> = {
	desktop: { width: 1280, height: 720, colorScheme: 'light' },
	phone: { width: 390, height: 844, colorScheme: 'light' },
	dark: { width: 1280, height: 720, colorScheme: 'dark' },
};
const PICTURE: Screen = { width: 1000, height: 560, colorScheme: 'light' };

const { records, notes } = await folderStore(join(ROOT, 'baselines/fastify')).read();
const site = await serveSite(records, 'fastify/fastify', notes);
const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
	args: ['--no-sandbox', '--disable-gpu'],
});
try {
	mkdirSync(FOLDER, { recursive: true });
	for (const [screen, size] of Object.entries(SCREENS)) {
		for (const [name, path] of PAGES) await draw(browser, path, size, join(FOLDER, `${name}-${screen}.png`), true);
	}
	await draw(browser, ROW, PICTURE, ROW_PICTURE, false);
} finally {
	await browser.close();
	site.close();
}

async function draw(on: Browser, path: string, screen: Screen, file: string, whole: boolean): Promise<void> {
	const { width, height, colorScheme } = screen;
	const page = await on.newPage({ viewport: { width, height }, colorScheme });
	await page.goto(`${site.origin}/#/${path}`);
	await page.locator(`main[data-view=${path.split('/')[0]}]`).waitFor();
	const content = Number(await page.evaluate("document.getElementById('main').getBoundingClientRect().bottom"));
	const tall = whole ? Math.ceil(content) : height;
	const clip = { x: 0, y: 0, width, height: Math.min(tall, TALLEST) };
	const options: PageScreenshotOptions = { path: file, clip, fullPage: whole, animations: 'disabled' };
	await page.screenshot(options);
	await page.close();
}
