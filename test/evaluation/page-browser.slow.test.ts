import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { bundleCharts } from '../../evaluation/page/bundle.ts';
import { renderPage } from '../../evaluation/page/html.ts';
import type { Results } from '../../evaluation/results.ts';
import { seriousFindings } from '../support/axe.ts';
import { exampleResults } from './support/example-results.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** A machine under load starts a browser slowly. */
const PATIENCE_MS = 120_000;
const missing = !existsSync(CHROMIUM) && !process.env.CI;
const skip =
	missing && `no browser at ${CHROMIUM}; install chromium or set CHROMIUM to see the charts of the evaluation`;

describe('the page of the evaluation in a real browser', { skip }, () => {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-evaluation-'));
	let browser: Browser;
	let script: string;

	before(async () => {
		script = bundleCharts();
		browser = await chromium.launch({
			executablePath: CHROMIUM,
			args: ['--no-sandbox', '--disable-gpu'],
			timeout: PATIENCE_MS,
		});
	});
	after(async () => {
		await browser?.close();
		rmSync(folder, { recursive: true, force: true });
	});

	async function open(results: Results, width: number, colorScheme: 'light' | 'dark' = 'light') {
		const file = join(folder, 'index.html');
		writeFileSync(file, renderPage(results, script));
		const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
		const troubles: string[] = [];
		page.on('console', (message) => troubles.push(message.text()));
		page.on('pageerror', (error) => troubles.push(error.message));
		await page.goto(pathToFileURL(file).href);
		return { page, troubles };
	}

	for (const width of [360, 1280]) {
		test(`every number has its mark at ${width} px, and nothing scrolls sideways`, async () => {
			const results = exampleResults();
			const { page, troubles } = await open(results, width);
			const marks = (name: string) => page.locator(`g.${name} > *`).count();
			assert.equal(await page.locator('#power figure svg').count(), results.rules.length);
			assert.equal(await marks('power'), results.rules.flatMap(({ at }) => at).length);
			assert.equal(await marks('cost'), results.timing.length);
			assert.equal(await marks('mean'), 2 * results.bias.length);
			const small = results.validity.pairs.filter(({ throughput }) => Math.abs(throughput.duet?.value ?? 0) < 0.15);
			assert.equal(await marks('pair'), 2 * (results.validity.pairs.length + small.length));
			assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
			assert.deepEqual(troubles, []);
			await page.close();
		});
	}

	for (const width of [390, 1280]) {
		for (const scheme of ['light', 'dark'] as const) {
			test(`at ${width} px, ${scheme}: accessible`, async () => {
				const { page } = await open(exampleResults(), width, scheme);
				await page.locator('#power figure svg').first().waitFor();
				assert.deepEqual(await seriousFindings(page), []);
				await page.close();
			});
		}
	}

	test('without results there are no charts and no problems', async () => {
		const validity = { pairs: [], lines: [] };
		const { page, troubles } = await open(exampleResults({ rules: [], timing: [], bias: [], validity }), 1280);
		assert.equal(await page.locator('figure').count(), 0);
		assert.equal(await page.locator('#power-section').isVisible(), false);
		assert.deepEqual(troubles, []);
		await page.close();
	});
});
