import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { orderCells } from '../../../src/report/compare/rows.ts';
import { renderHtml } from '../../../src/report/html/html.ts';
import { bundleCharts } from '../../support/chart-bundle.ts';
import { resultCase } from '../../support/result-cases.ts';
import { chartsOf } from '../../support/results.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** For all waits in the browser: it starts slowly on a machine under load. */
const PATIENCE_MS = 120_000;
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync', '--no-first-run'];
const missing = !existsSync(CHROMIUM) && !process.env.CI;
export const skip =
	missing && `no browser at ${CHROMIUM}; install chromium or set CHROMIUM to run the HTML report in one`;

/** A page with an open report, and its errors so far. */
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

/** Starts a browser for the tests of a suite; the returned function opens the report of a result by name. */
export function useBrowser(): Open {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-report-'));
	let browser: Browser;
	let script: string;
	const files = new Map<string, string>();
	/** One page with JavaScript and one without: a new page costs more than a report. */
	const pages = new Map<boolean, Page>();
	/** The address of the open report, and its errors. */
	let address = '';
	let troubles: string[] = [];

	function write(name: string): string {
		const result = resultCase(name);
		const file = join(folder, `${name}.html`);
		writeFileSync(file, renderHtml(result, chartsOf(result), script));
		return pathToFileURL(file).href;
	}

	async function newPage(javaScriptEnabled: boolean): Promise<Page> {
		const page = await browser.newPage({ javaScriptEnabled });
		page.setDefaultTimeout(PATIENCE_MS);
		page.on('console', (message) => troubles.push(`console: ${message.text()}`));
		page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
		page.on('dialog', (dialog) => troubles.push(`dialog: ${dialog.message()}`));
		page.on('request', (request) => {
			if (request.url() !== address && !request.url().startsWith('data:')) troubles.push(`request: ${request.url()}`);
		});
		return page;
	}

	before(async () => {
		script = bundleCharts();
		browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: ARGS, timeout: PATIENCE_MS });
	});
	after(async () => {
		await browser?.close();
		rmSync(folder, { recursive: true, force: true });
	});

	return async (name, width, colorScheme, javaScript = true) => {
		const file = files.get(name) ?? write(name);
		files.set(name, file);
		const page = pages.get(javaScript) ?? (await newPage(javaScript));
		pages.set(javaScript, page);
		await page.goto('about:blank');
		await page.setViewportSize({ width, height: 800 });
		await page.emulateMedia({ colorScheme });
		[address, troubles] = [file, []];
		await page.goto(address);
		return { page, troubles };
	};
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The plot starts with this many rows. */
const MOST_ROWS = 40;

/** Returns serious and critical violations of all rules, each with its first element. */
async function violationsOf(page: Page): Promise<readonly string[]> {
	await page.evaluate(AXE);
	const findings = (await page.evaluate("axe.run({ resultTypes: ['violations'], selectors: false })")) as {
		violations: { id: string; impact: string; nodes: { html: string }[] }[];
	};
	const serious = findings.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
	return serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** Registers the tests of every report, at each width and colour scheme. */
export function testReports(open: Open, names: readonly string[]): void {
	for (const name of names) {
		for (const width of [390, 1280]) {
			for (const scheme of ['light', 'dark'] as const) {
				test(`${name} at ${width} px, ${scheme}`, async () => {
					const { page, troubles } = await open(name, width, scheme);
					const cells = orderCells(resultCase(name).cells).slice(0, MOST_ROWS);
					await page.locator('#forest svg').last().waitFor();
					const estimates = await page.locator('#forest g.estimate > *').count();
					const missing = await page.locator('#forest g.missing > text').count();
					assert.equal(estimates, cells.filter((cell) => cell.change !== null).length);
					assert.equal(estimates + missing, cells.length);
					assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, 'scrolls sideways');
					assert.deepEqual(await violationsOf(page), []);
					assert.deepEqual(troubles, []);
				});
			}
		}
	}
}
