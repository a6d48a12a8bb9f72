/** Every view of the dashboard in a real browser: what it shows, who can use it, what it asks of whom. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { VIEWS } from '../../src/site/site-page.ts';
import { syntheticRecords } from '../support/baselines/records.ts';
import { type ServedSite, serveSite } from './serve-site.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const PATIENCE_MS = 120_000;
const skip = !existsSync(CHROMIUM) && !process.env.CI && `no browser at ${CHROMIUM}`;
const ROWS = ['koa/ping', 'koa/param-json', 'express/ping'];
const RECORDS = syntheticRecords({
	seed: 3,
	commits: 80,
	cells: ROWS,
	eras: 3,
	failed: 0.03,
	steps: [{ commit: 60, size: -0.05, cell: 'koa/param-json' }],
});
const PATHS = [
	...VIEWS.map(([view]) => view as string),
	'cell/koa/param-json',
	'cell/koa/param-json?abs=1',
	'ranking/param-json',
	'compare?from=v1.0.0',
];

describe('dashboard', { skip }, () => {
	let site: ServedSite;
	let browser: Browser;

	before(async () => {
		site = await serveSite(RECORDS, 'koajs/koa');
		browser = await chromium.launch({
			executablePath: CHROMIUM,
			args: ['--no-sandbox', '--disable-gpu'],
			timeout: PATIENCE_MS,
		});
	});
	after(async () => {
		await browser?.close();
		site?.close();
	});

	interface Opened {
		readonly page: Page;
		readonly troubles: string[];
	}
	/** One page for each kind of screen: a new one costs more than what is looked at. */
	const screens = new Map<string, Opened>();

	async function newScreen(width: number, colorScheme: 'light' | 'dark'): Promise<Opened> {
		const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
		page.setDefaultTimeout(PATIENCE_MS);
		const troubles: string[] = [];
		page.on('console', (message) => troubles.push(`console: ${message.text()}`));
		page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
		page.on('request', (request) => {
			if (!request.url().startsWith(site.origin) && !request.url().startsWith('data:'))
				troubles.push(`request: ${request.url()}`);
		});
		return { page, troubles };
	}

	async function open(path: string, width: number, colorScheme: 'light' | 'dark'): Promise<Opened> {
		const name = `${width} ${colorScheme}`;
		const opened = screens.get(name) ?? (await newScreen(width, colorScheme));
		screens.set(name, opened);
		const { page, troubles } = opened;
		// Otherwise only what follows the # would change, and nothing be loaded.
		await page.goto('about:blank');
		troubles.length = 0;
		await page.goto(`${site.origin}/#/${path}`);
		await page.locator('main[data-view]').waitFor();
		return opened;
	}

	for (const path of PATHS) {
		for (const [width, scheme] of [
			[1280, 'light'],
			[390, 'dark'],
		] as const) {
			test(`${path} at ${width} px, ${scheme}: drawn, for everybody, without a foreign request`, async () => {
				const { page, troubles } = await open(path, width, scheme);
				assert.notEqual(await page.locator('main').getAttribute('data-view'), 'error');
				assert.notEqual(await page.locator('h1').textContent(), '');
				const scroll = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
				assert.ok(scroll <= 0, `${scroll} px wider than the screen`);
				await page.evaluate(AXE);
				// All rules; what passes them is not told, nor how each element is reached.
				const run = "axe.run({ resultTypes: ['violations'], selectors: false })";
				const found = (await page.evaluate(run)) as {
					violations: { id: string; impact: string; nodes: { html: string }[] }[];
				};
				const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
				assert.deepEqual(
					serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
					[],
				);
				assert.deepEqual(troubles, []);
			});
		}
	}

	test('the planted slowdown is told, with the commit and the command', async () => {
		const { page } = await open('changes', 1280, 'light');
		assert.match((await page.locator('h1').textContent()) ?? '', /1 open slowdown/);
		const planted = RECORDS.filter(({ purpose }) => purpose === 'level')[60]?.commit.sha?.slice(0, 7) ?? 'none';
		assert.ok((await page.locator('main').textContent())?.includes(planted));
		assert.match(
			(await page.locator('button', { hasText: 'copy bisect command' }).first().getAttribute('title')) ?? '',
			/^npx benchgate bisect --good [0-9a-f]{7} --bad [0-9a-f]{7} --server koa --scenario param-json$/,
		);
	});

	test('arrow keys go from point to point, and the words follow', async () => {
		const { page } = await open('cell/koa/ping', 1280, 'light');
		await page.locator('.curve').focus();
		await page.keyboard.press('Home');
		const told = page.locator('.told');
		await page.waitForFunction(() => !document.querySelector('.told')?.textContent?.startsWith('Point'));
		const first = await told.textContent();
		await page.keyboard.press('ArrowRight');
		await page.waitForFunction((before) => document.querySelector('.told')?.textContent !== before, first);
		await page.waitForFunction(() => /requests\/s/.test(document.getElementById('status')?.textContent ?? ''));
	});

	test('the points of a row are there as a table for other programs', async () => {
		const { page } = await open('cell/koa/ping', 1280, 'light');
		const link = page.locator('a[download]', { hasText: 'CSV' });
		assert.equal(await link.getAttribute('download'), 'koa-ping.csv');
		const [head = '', ...lines] = decodeURIComponent((await link.getAttribute('href')) ?? '')
			.trim()
			.split('\n');
		assert.match(head, /^data:text\/csv;charset=utf-8,commit,label,day,log_ratio,/);
		const cells = RECORDS.filter(({ purpose }) => purpose === 'level').flatMap(({ cells }) => cells);
		const measured = cells.filter(
			({ server, scenario, theta }) => `${server}/${scenario}` === 'koa/ping' && theta !== null,
		);
		assert.equal(lines.length, measured.length);
		for (const line of lines) assert.match(line, /^[0-9a-f]{40},main@[0-9a-f]{7},\d{4}-\d\d-\d\d,-?\d/);
	});

	test('a page that is not there says so and leads back', async () => {
		const { page } = await open('cell/no/row', 390, 'light');
		assert.match((await page.locator('h1').textContent()) ?? '', /no row no\/row/);
	});
});
