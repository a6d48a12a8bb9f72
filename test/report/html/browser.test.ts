import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { renderHtml } from '../../../src/report/html/html.ts';
import { bundleCharts } from '../../support/chart-bundle.ts';
import { resultCase } from '../../support/result-cases.ts';
import { chartsOf } from '../../support/results.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** For everything the browser does: a machine under load starts it slowly. */
const PATIENCE_MS = 120_000;
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync', '--no-first-run'];
const missing = !existsSync(CHROMIUM) && !process.env.CI;
const skip = missing && `no browser at ${CHROMIUM}; install chromium or set CHROMIUM to run the HTML report in one`;

/** A page with a report open, and what went wrong in it so far. */
interface Opened {
	readonly page: Page;
	readonly troubles: readonly string[];
}

describe('the HTML report in a real browser', { skip }, () => {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-report-'));
	let browser: Browser;
	let script: string;

	before(async () => {
		script = bundleCharts();
		browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: ARGS, timeout: PATIENCE_MS });
	});
	after(async () => {
		await browser?.close();
		rmSync(folder, { recursive: true, force: true });
	});

	async function open(name: string, width: number, colorScheme: 'light' | 'dark', javaScript = true): Promise<Opened> {
		const result = resultCase(name);
		const file = join(folder, `${name}.html`);
		writeFileSync(file, renderHtml(result, chartsOf(result), script));
		const page = await browser.newPage({
			viewport: { width, height: 800 },
			colorScheme,
			javaScriptEnabled: javaScript,
		});
		page.setDefaultTimeout(PATIENCE_MS);
		const address = pathToFileURL(file).href;
		const troubles: string[] = [];
		page.on('console', (message) => troubles.push(`console: ${message.text()}`));
		page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
		page.on('dialog', (dialog) => troubles.push(`dialog: ${dialog.message()}`));
		page.on('request', (request) => {
			if (request.url() !== address && !request.url().startsWith('data:')) troubles.push(`request: ${request.url()}`);
		});
		await page.goto(address);
		return { page, troubles };
	}

	for (const name of [
		'several',
		'hostile',
		'two-hundred',
		'one-cell',
		'nothing-measured',
		'few-rounds',
		'generator-bound',
	]) {
		for (const width of [360, 1280]) {
			for (const scheme of ['light', 'dark'] as const) {
				test(`${name} at ${width} px, ${scheme}`, async () => {
					const { page, troubles } = await open(name, width, scheme);
					const { cells } = resultCase(name);
					await page.locator('#forest svg').last().waitFor();
					const estimates = await page.locator('#forest g.estimate > *').count();
					const missing = await page.locator('#forest g.missing > text').count();
					assert.equal(estimates, cells.filter((cell) => cell.change !== null).length);
					assert.equal(estimates + missing, cells.length);
					assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, 'scrolls sideways');
					assert.deepEqual(troubles, []);
					await page.close();
				});
			}
		}
	}

	test('hostile names are text and nothing else', async () => {
		const { page, troubles } = await open('hostile', 1280, 'light');
		await page.locator('#forest svg').last().waitFor();
		assert.equal(await page.locator('img, iframe, object, embed, form, [onerror], a[href^="javascript"]').count(), 0);
		assert.equal(await page.locator('body script').count(), 2);
		assert.match((await page.locator('#cell').textContent()) ?? '', /\*\*bold\*\*/);
		assert.deepEqual(troubles, []);
		await page.close();
	});

	test('choosing a cell draws its rounds and its latency', async () => {
		const { page, troubles } = await open('several', 1280, 'light');
		const labelOf = (id: string): Promise<string | null> =>
			page.locator(`#${id} svg[aria-label]`).getAttribute('aria-label');
		assert.equal(await labelOf('rounds'), 'Change of each round of express/ping');
		await page.locator('#cell').selectOption({ label: 'koa/ping (unchanged)' });
		assert.equal(await labelOf('rounds'), 'Change of each round of koa/ping');
		assert.equal(await labelOf('latency'), 'Latency of both sides of koa/ping');
		assert.equal(await page.locator('#rounds g.round > *').count(), 13);
		assert.equal(await page.locator('#rounds g.discarded > *').count(), 1);
		assert.deepEqual(troubles, []);
		await page.close();
	});

	test('charts follow the width of the window', async () => {
		const { page } = await open('several', 1280, 'light');
		const widthOf = (): Promise<number> => page.locator('#forest svg.plot').evaluate((svg) => svg.clientWidth);
		const wide = await widthOf();
		await page.setViewportSize({ width: 360, height: 800 });
		await page.waitForFunction(() => (document.querySelector('#forest svg.plot')?.clientWidth ?? 999) <= 360);
		assert.ok((await widthOf()) < wide);
		await page.close();
	});

	test('without JavaScript the tables are there and no empty place for a chart', async () => {
		const { page } = await open('several', 360, 'light', false);
		assert.ok(await page.locator('table.cards').isVisible());
		assert.ok(!(await page.locator('#forest-section').isVisible()));
		assert.ok(await page.locator('noscript').isVisible());
		await page.close();
	});
});
