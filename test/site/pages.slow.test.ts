/** Every view of the dashboard in a real browser: its content, accessibility and requests. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { VIEWS } from '../../src/site/site-files.ts';
import { seriousFindings } from '../support/axe.ts';
import { syntheticRecords } from '../support/baselines/records.ts';
import { type ServedSite, serveSite } from './serve-site.ts';

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
	'row/koa/param-json',
	'row/koa/param-json?abs=1',
	'rows?q=koa&sort=name',
	'changes?show=all',
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
	/** One page for each kind of screen: a new page costs more than a test. */
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
		// Otherwise only the part after # would change, without a load.
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
			[390, 'light'],
			[1280, 'dark'],
		] as const) {
			test(`${path} at ${width} px, ${scheme}: drawn, accessible, without a foreign request`, async () => {
				const { page, troubles } = await open(path, width, scheme);
				assert.notEqual(await page.locator('main').getAttribute('data-view'), 'error');
				assert.notEqual(await page.locator('h1').textContent(), '');
				const scroll = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
				assert.ok(scroll <= 0, `${scroll} px wider than the screen`);
				assert.deepEqual(await seriousFindings(page), []);
				assert.deepEqual(troubles, []);
			});
		}
	}

	const planted = RECORDS.filter(({ purpose }) => purpose === 'level')[60]?.commit.sha?.slice(0, 7) ?? 'none';

	for (const path of ['now', 'changes']) {
		test(`${path}: the planted slowdown is one card with commit, row, certainty and next step`, async () => {
			const { page } = await open(path, 390, 'dark');
			const heading = path === 'now' ? /^1 of 3 rows is slower than v1\.2\.0$/ : /^1 open slowdown$/;
			assert.match((await page.locator('h1').textContent()) ?? '', heading);
			const card = page.locator('.card');
			assert.equal(await card.count(), 1);
			const words = (await card.textContent())?.replaceAll('\u00a0', ' ') ?? '';
			assert.match(words, new RegExp(`Slower since ${planted}`));
			assert.match(words, /suspected, not proven yet/);
			assert.match(words, /koa\/param-json▼ −[45]\.\d % \[−\d\.\d … −\d\.\d\]/);
			assert.match(
				(await card.locator('.command code').textContent()) ?? '',
				/^npx benchgate (?:bisect --good [0-9a-f]{12} --bad [0-9a-f]{12} --server koa --scenario param-json|compare --base git:[0-9a-f]{12} --head git:[0-9a-f]{12} --server koa --scenario param-json)$/,
			);
			// On the start page of a phone the answer needs no scrolling.
			const box = await card.locator('.command').boundingBox();
			if (path === 'now') assert.ok(box !== null && box.y + box.height <= 800, JSON.stringify(box));
		});
	}

	test('a row’s page describes its change in words', async () => {
		const { page } = await open('row/koa/param-json', 390, 'dark');
		const words = (await page.locator('ul.rows').textContent())?.replaceAll('\u00a0', ' ') ?? '';
		assert.match(words, new RegExp(`−[45]\\.\\d % \\[.* at ${planted} .*\\(suspected`));
	});

	test('search, filter and order of rows are in the address, and it brings them back', async () => {
		const { page } = await open('rows', 390, 'dark');
		const names = () => page.locator('tbody td:first-child').allTextContents();
		assert.equal((await names()).length, 3);
		await page.locator('input[type=search]').fill('koa');
		await page.locator('select[name=sort]').selectOption('name');
		assert.deepEqual(await names(), ['koa/param-json', 'koa/ping']);
		assert.equal(new URL(page.url()).hash, '#/rows?q=koa&sort=name');
		await page.reload();
		await page.locator('main[data-view=rows]').waitFor();
		assert.deepEqual(await names(), ['koa/param-json', 'koa/ping']);
		await page.locator('tbody a').first().click();
		await page.locator('main[data-view=row]').waitFor();
		await page.goBack();
		await page.locator('main[data-view=rows]').waitFor();
		assert.equal(await page.locator('input[type=search]').inputValue(), 'koa');
	});

	test('two commits are compared in a sentence, and by one command', async () => {
		const { page } = await open('compare?from=v1.0.0', 1280, 'light');
		await page.locator('select[name=from]').selectOption({ index: 30 });
		await page.waitForURL(/from=[0-9a-f]{12}&to=[0-9a-f]{12}/);
		await page.waitForFunction(() => document.querySelector('.lead')?.textContent?.startsWith('Of 3 rows, 1 slower'));
		const { hash } = new URL(page.url());
		const [, from, to] = /from=(\w+)&to=(\w+)/.exec(hash) ?? [];
		assert.equal(
			await page.locator('.command code').textContent(),
			`npx benchgate compare --base git:${from} --head git:${to}`,
		);
	});

	test('the keyboard reaches everything: past the header, to a row, to its curve', async () => {
		const { page } = await open('rows', 1280, 'light');
		await page.keyboard.press('Tab');
		await page.keyboard.press('Enter');
		assert.equal(await page.locator('main').getAttribute('data-view'), 'rows', 'the link past the header is no page');
		assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');
		await page.locator('tbody a').first().focus();
		await page.keyboard.press('Enter');
		await page.locator('main[data-view=row]').waitFor();
		assert.equal(await page.evaluate(() => document.activeElement?.id), 'main', 'the focus is at the new content');
	});

	test('arrow keys go from point to point, and the words follow', async () => {
		const { page } = await open('row/koa/ping', 1280, 'light');
		await page.locator('.curve').focus();
		await page.keyboard.press('Home');
		const pointText = page.locator('.told');
		await page.waitForFunction(() => !document.querySelector('.told')?.textContent?.startsWith('Point'));
		const first = await pointText.textContent();
		await page.keyboard.press('ArrowRight');
		await page.waitForFunction((before) => document.querySelector('.told')?.textContent !== before, first);
		await page.waitForFunction(() => /requests\/s/.test(document.getElementById('status')?.textContent ?? ''));
	});

	test('the points of a row are there as a table for other programs', async () => {
		const { page } = await open('row/koa/ping', 1280, 'light');
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

	test('a missing page is reported and links back', async () => {
		const { page } = await open('row/no/row', 390, 'light');
		assert.match((await page.locator('h1').textContent()) ?? '', /no row no\/row/);
	});
});
