import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
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
export const skip =
	missing && `no browser at ${CHROMIUM}; install chromium or set CHROMIUM to run the HTML report in one`;

/** A page with a report open, and what went wrong in it so far. */
export interface Opened {
	readonly page: Page;
	readonly troubles: readonly string[];
}

export type Open = (
	name: string,
	width: number,
	colorScheme: 'light' | 'dark',
	javaScript?: boolean,
) => Promise<Opened>;

/** Starts a browser for the tests of a suite; what is returned opens the report of a result by name. */
export function useBrowser(): Open {
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

	return async (name, width, colorScheme, javaScript = true) => {
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
	};
}

/** Registers what every report must do, whatever its width and colours. */
export function testReports(open: Open, names: readonly string[]): void {
	for (const name of names) {
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
}
