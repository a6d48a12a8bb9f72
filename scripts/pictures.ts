/**
 * Draws the pictures of the documentation from the example results of the tests: `node scripts/pictures.ts`. Needs
 * Chromium (`CHROMIUM`, else /usr/bin/chromium).
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type PageScreenshotOptions } from 'playwright-core';
import { renderHtml } from '../src/report/html/html.ts';
import { bundleCharts } from '../test/support/chart-bundle.ts';
import { renderGitHub } from '../test/support/pages/github-markdown.ts';
import { resultCase } from '../test/support/result-cases.ts';
import { chartsOf } from '../test/support/results.ts';

const ROOT = new URL('../', import.meta.url);
/** An approximation of GitHub's style sheet for comments. */
const COMMENT_STYLE = `
body { margin: 0; padding: 12px; background: #fff; color: #1f2328; font: 14px/1.5 -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
article { border: 1px solid #d1d9e0; border-radius: 6px; padding: 16px; }
h3 { font-size: 17.5px; line-height: 1.25; margin: 0 0 16px; }
p, table, details { margin: 0 0 14px; }
code { font: 12px ui-monospace, "DejaVu Sans Mono", monospace; background: #818b981f; border-radius: 6px; padding: .2em .4em; white-space: break-spaces; }
table { display: block; width: max-content; max-width: 100%; overflow: auto; border-collapse: collapse; }
pre { overflow: auto; }
th, td { border: 1px solid #d1d9e0; padding: 6px 12px; }
tbody tr:nth-child(2n) { background: #f6f8fa; }
a { color: #0969da; text-decoration: none; }`;

/** Replacements for emoji, for machines without a font for them. */
const SIGNS: Readonly<Record<string, string>> = {
	'❌': '<b style="color:#cf222e">✘</b>',
	'🔼': '<b style="color:#0969da">▲</b>',
	'🟡': '<b style="color:#d4a72c">●</b>',
	'✅': '<b style="color:#1a7f37">✔</b>',
};

/** Pictures of comments: name, golden file, width in pixels. */
const COMMENTS = [
	['comment', 'comment/several', 884],
	['comment-pass', 'comment/unchanged', 884],
	['comment-phone', 'explain/comment', 390],
] as const;

const folder = mkdtempSync(join(tmpdir(), 'benchgate-pictures-'));
const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
	args: ['--no-sandbox', '--disable-gpu'],
});

async function draw(
	name: string,
	html: string,
	width: number,
	scheme: 'light' | 'dark',
	height?: number,
): Promise<void> {
	const file = join(folder, `${name}.html`);
	writeFileSync(file, html);
	const page = await browser.newPage({ viewport: { width, height: height ?? 400 }, colorScheme: scheme });
	await page.goto(pathToFileURL(file).href);
	const path = new URL(`docs/images/${name}.png`, ROOT).pathname;
	const options: PageScreenshotOptions = height === undefined ? { path, fullPage: true } : { path };
	await page.screenshot(options);
	await page.close();
}

try {
	for (const [name, golden, width] of COMMENTS) {
		const markdown = readFileSync(new URL(`test/golden/${golden}.md`, ROOT), 'utf8');
		const comment = renderGitHub(markdown).replace(/[❌🔼🟡✅]/gu, (mark) => SIGNS[mark] ?? mark);
		const html = `<meta charset="utf-8"><style>${COMMENT_STYLE}</style><article>${comment}</article>`;
		await draw(name, html, width, 'light');
	}
	const result = resultCase('several');
	const report = renderHtml(result, chartsOf(result), bundleCharts());
	await draw('report-desktop', report, 1000, 'light', 1300);
	await draw('report-phone', report, 360, 'dark', 1150);
} finally {
	await browser.close();
	rmSync(folder, { recursive: true, force: true });
}
