import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { skip, testReports, useBrowser } from './browser.ts';

describe('other HTML reports in a real browser', { skip }, () => {
	const open = useBrowser();

	testReports(open, ['two-hundred', 'one-cell', 'nothing-measured', 'few-rounds', 'generator-bound']);

	for (const width of [768, 1000, 1280]) {
		test(`no column of 200 rows is cut off at ${width} px`, async () => {
			const { page } = await open('two-hundred', width, 'light');
			for (const fold of await page.locator('details').all())
				await fold.evaluate((one) => one.setAttribute('open', ''));
			const excess = await page
				.locator('.scroll')
				.evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth));
			assert.deepEqual([...new Set(excess)], [0]);
		});
	}
});
