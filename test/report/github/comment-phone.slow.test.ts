/** A comment on a phone, with the widths of GitHub's pages. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
import { renderGitHub } from '../../support/pages/github-markdown.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const skip = !existsSync(CHROMIUM) && !process.env.CI && `no browser at ${CHROMIUM}`;
/** The rules of GitHub's style sheet for tables, cells and code, and the borders of a comment. */
const STYLES = `
body { margin: 0; padding: 16px; font: 14px/1.5 "Segoe UI", Helvetica, Arial, sans-serif; }
main { padding: 16px; border: 1px solid; }
table { display: block; width: max-content; max-width: 100%; overflow: auto; border-collapse: collapse; }
td, th { padding: 6px 13px; border: 1px solid; }
code { font: 85% monospace; padding: .2em .4em; white-space: break-spaces; }`;

describe('at 390 px', { skip }, () => {
	let browser: Browser;
	before(async () => {
		browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
	});
	after(() => browser?.close());

	for (const name of ['several', 'everything-wrong', 'accepted-in-part']) {
		test(`${name}: mark, row, change and interval need no scrolling`, async () => {
			const markdown = readFileSync(new URL(`../../golden/comment/${name}.md`, import.meta.url), 'utf8');
			const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
			await page.setContent(
				`<meta name="viewport" content="width=device-width"><style>${STYLES}</style><main>${renderGitHub(markdown)}</main>`,
			);
			const table = page.locator('table').first();
			const frame = await table.boundingBox();
			const ends = await table.locator('tr > :nth-child(3)').all();
			assert.ok(frame && ends.length > 1);
			for (const cell of ends) {
				const box = await cell.boundingBox();
				// Browsers round text differently, by less than a pixel.
				assert.ok(box && box.x + box.width < frame.x + frame.width + 1, await cell.textContent().then(String));
			}
			await page.close();
		});
	}
});
