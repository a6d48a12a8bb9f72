import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { skip, testReports, useBrowser } from './browser.ts';

describe('the HTML report in a real browser', { skip }, () => {
	const open = useBrowser();

	testReports(open, ['several', 'hostile']);

	test('hostile names are text only', async () => {
		const { page, troubles } = await open('hostile', 1280, 'light');
		await page.locator('#forest svg').last().waitFor();
		assert.equal(await page.locator('img, iframe, object, embed, form, [onerror], a[href^="javascript"]').count(), 0);
		assert.equal(await page.locator('body script').count(), 2);
		assert.match((await page.locator('#cell').textContent()) ?? '', /\*\*bold\*\*/);
		assert.deepEqual(troubles, []);
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
	});

	test('a click on a row of the plot, and an address with a row, show its rounds', async () => {
		const { page, troubles } = await open('several', 1280, 'light');
		const shown = (): Promise<string | null> => page.locator('#rounds svg[aria-label]').getAttribute('aria-label');
		await page.locator('#forest g.hit > *').nth(4).click();
		await page.waitForFunction(() => location.hash === '#row-koa/ping');
		assert.equal(await shown(), 'Change of each round of koa/ping');
		await page.goto(`${page.url().replace(/#.*/, '')}#row-express/json-nested`);
		await page.waitForFunction(() => document.querySelector('#rounds svg[aria-label*="json-nested"]') !== null);
		assert.ok(await page.locator('[id="row-express/json-nested"]').isVisible());
		assert.deepEqual(troubles, []);
	});

	test('long names leave the verdict visible, and both sides stand first', async () => {
		const { page } = await open('hostile', 1280, 'light');
		const verdict = await page.locator('table.cards tr .verdict').first().boundingBox();
		assert.ok(verdict && verdict.x >= 0 && verdict.x + verdict.width <= 1280);
		const overflow = await page
			.locator('.scroll')
			.first()
			.evaluate((frame) => frame.scrollWidth - frame.clientWidth);
		assert.ok(overflow <= 0, `${overflow} px are hidden`);
		const sides = await page.locator('header .subject').boundingBox();
		assert.ok(sides && sides.y < 100);
	});

	test('charts follow the width of the window', async () => {
		const { page } = await open('several', 1280, 'light');
		const widthOf = (): Promise<number> => page.locator('#forest svg.plot').evaluate((svg) => svg.clientWidth);
		const wide = await widthOf();
		await page.setViewportSize({ width: 390, height: 800 });
		await page.waitForFunction(() => (document.querySelector('#forest svg.plot')?.clientWidth ?? 999) <= 390);
		assert.ok((await widthOf()) < wide);
	});

	test('without JavaScript the page shows its tables and no empty place for a chart', async () => {
		const { page } = await open('several', 360, 'light', false);
		assert.ok(await page.locator('table.cards').first().isVisible());
		assert.ok(!(await page.locator('#forest-section').isVisible()));
		assert.ok(await page.locator('noscript').isVisible());
	});
});
