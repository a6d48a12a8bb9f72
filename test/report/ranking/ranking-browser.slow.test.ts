/** The page of the published ranking in a real browser, on a phone and a wide screen, light and dark. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { MEASURE_RENDERERS } from '../../../src/report/render-formats.ts';
import type { RankingResult } from '../../../src/types/ranking/ranking.ts';
import { seriousFindings } from '../../support/axe.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const PATIENCE_MS = 120_000;
const skip = !existsSync(CHROMIUM) && !process.env.CI && `no browser at ${CHROMIUM}`;
const EXAMPLE = fileURLToPath(new URL('../../../docs/examples/measure.json', import.meta.url));

describe('the page of a ranking', { skip }, () => {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-ranking-'));
	const file = join(folder, 'measure.html');
	let browser: Browser;

	before(async () => {
		writeFileSync(file, MEASURE_RENDERERS.html(JSON.parse(readFileSync(EXAMPLE, 'utf8')) as RankingResult));
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

	for (const width of [390, 1280]) {
		for (const colorScheme of ['light', 'dark'] as const) {
			test(`${width} px, ${colorScheme}: the answer comes first, complete and accessible`, async () => {
				const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
				page.setDefaultTimeout(PATIENCE_MS);
				await page.goto(pathToFileURL(file).href);
				assert.deepEqual(await seriousFindings(page), []);
				const wide = (await page.evaluate('document.documentElement.scrollWidth')) as number;
				assert.ok(wide <= width, `${wide} px wide`);
				const bars = page.locator('ol.bars');
				const box = await bars.boundingBox();
				assert.ok(box !== null && box.y + box.height <= 3 * 800, `the chart ends at ${box && box.y + box.height} px`);
				// Every place of every scenario is within the screen.
				const cut = `[...document.querySelectorAll('.places li')].filter((item) => item.getBoundingClientRect().right > innerWidth).length`;
				assert.equal(await page.evaluate(cut), 0);
				assert.ok((await page.locator('.places li').count()) > 40);
				// Every entry of the contents leads to a section.
				const lost = `[...document.querySelectorAll('.contents a')].filter(({ hash }) => document.getElementById(hash.slice(1)) === null).length`;
				assert.equal(await page.evaluate(lost), 0);
				await page.close();
			});
		}
	}
});
