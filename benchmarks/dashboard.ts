/**
 * How quick is the dashboard in a real browser? `node benchmarks/dashboard.ts [RUNS]`. 500 commits × 100 rows, served
 * gzipped from loopback. Times are medians of RUNS fresh pages, also with the CPU slowed down four times. Needs
 * Chromium (`CHROMIUM`, else /usr/bin/chromium).
 */
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { median, quantile } from 'simple-statistics';
import { serveSite } from '../test/site/serve-site.ts';
import { syntheticRecords } from '../test/support/baselines/records.ts';

const RUNS = Number(process.argv[2] ?? 5);
const FRAMES = 120;
const LONG_TASK_MS = 100;

const records = syntheticRecords({
	...{ seed: 1, commits: 500, cells: 100, eras: 12, outliers: 0.03, failed: 0.02, environments: 2 },
	steps: [{ commit: 330, size: -0.03 }],
});
const site = await serveSite(records, 'o/r');
const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
	args: ['--no-sandbox', '--disable-gpu'],
});
try {
	const bytes = (...names: string[]) => names.reduce((sum, name) => sum + (site.sent.get(name) ?? Number.NaN), 0);
	say('script', kilobytes(bytes('/site.js')));
	say('first data', kilobytes(bytes('/data/index.json', '/data/overview.json')));
	const [row = ''] = [...site.sent.keys()].filter((name) => name.startsWith('/data/c/'));
	say('a row', kilobytes(bytes(row)));
	say('everything, on demand', kilobytes(bytes('/data/all.json')));
	for (const view of ['now', 'rows']) {
		for (const slower of [1, 4]) {
			const first = await each(() => timeFirst(browser, view, slower));
			say(`${view} usable${slower === 1 ? '' : `, CPU ${slower} times slower`}`, milliseconds(first));
		}
	}
	say('a row’s page, from all rows', milliseconds(await each(() => timeRow(browser))));
	const { frames, longest, heap } = await moveAbout(browser);
	say('frame while pointing and zooming, 95 %', `${quantile([...frames], 0.95).toFixed(1)} ms`);
	say(`longest task after load (aim: none above ${LONG_TASK_MS} ms)`, `${longest.toFixed(0)} ms`);
	say('heap', `${(heap / 1e6).toFixed(1)} MB`);
} finally {
	await browser.close();
	site.close();
}

async function each(measure: () => Promise<number>): Promise<readonly number[]> {
	const times: number[] = [];
	for (let run = 0; run < RUNS; run++) times.push(await measure());
	return times;
}

/** Milliseconds from the start of loading until a view is in the page. */
async function timeFirst(on: Browser, view: string, slower: number): Promise<number> {
	const { page, cdp } = await open(on);
	await cdp.send('Emulation.setCPUThrottlingRate', { rate: slower });
	await page.goto(`${site.origin}/#/${view}`);
	await page.locator(`main[data-view=${view}]`).waitFor();
	const time = await page.evaluate(() => performance.getEntriesByName('drawn').at(-1)?.startTime ?? performance.now());
	await page.context().close();
	return time;
}

/** Milliseconds from following a row's link until its curve is drawn. */
async function timeRow(on: Browser): Promise<number> {
	const { page } = await open(on);
	await page.goto(`${site.origin}/#/rows`);
	await page.locator('main[data-view=rows]').waitFor();
	const time = await page.evaluate(async () => {
		const began = performance.now();
		document.querySelector<HTMLElement>('main tbody a')?.click();
		while (document.querySelector('main[data-view=row] .curve canvas') === null)
			await new Promise(requestAnimationFrame);
		return performance.now() - began;
	});
	await page.context().close();
	return time;
}

/** Moves the pointer along a curve, zooms in and out, and returns how even the frames were. */
async function moveAbout(
	on: Browser,
): Promise<{ readonly frames: readonly number[]; readonly longest: number; readonly heap: number }> {
	const { page, cdp } = await open(on);
	await page.goto(`${site.origin}/#/rows`);
	await page.locator('main[data-view=rows]').waitFor();
	await page.locator('main tbody a').first().click();
	await page.locator('.curve canvas').waitFor();
	await page.evaluate(() => {
		const kept = globalThis as unknown as { frames: number[]; longest: number };
		Object.assign(kept, { frames: [], longest: 0 });
		new PerformanceObserver((list) => {
			for (const { duration } of list.getEntries()) kept.longest = Math.max(kept.longest, duration);
		}).observe({ type: 'longtask' });
		let last = performance.now();
		const next = (now: number) => {
			kept.frames.push(now - last);
			last = now;
			requestAnimationFrame(next);
		};
		requestAnimationFrame(next);
	});
	const box = (await page.locator('.curve .u-over').boundingBox()) ?? { x: 0, y: 0, width: 1, height: 1 };
	const y = box.y + box.height / 2;
	for (let step = 0; step < FRAMES; step++) await page.mouse.move(box.x + (box.width * step) / FRAMES, y);
	for (let turn = 0; turn < 3; turn++) {
		await page.mouse.move(box.x + box.width * 0.3, y);
		await page.mouse.down();
		await page.mouse.move(box.x + box.width * 0.6, y, { steps: 20 });
		await page.mouse.up();
		await page.mouse.dblclick(box.x + box.width * 0.5, y);
	}
	const { frames, longest } = await page.evaluate(() => {
		const { frames, longest } = globalThis as unknown as { frames: number[]; longest: number };
		return { frames: frames.slice(2), longest };
	});
	await cdp.send('HeapProfiler.collectGarbage');
	const { metrics } = await cdp.send('Performance.getMetrics');
	const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN;
	await page.context().close();
	return { frames, longest, heap };
}

async function open(on: Browser): Promise<{ readonly page: Page; readonly cdp: CDPSession }> {
	const context = await on.newContext({ viewport: { width: 1280, height: 800 } });
	const page = await context.newPage();
	const cdp = await context.newCDPSession(page);
	await cdp.send('Performance.enable');
	// Records inside the page when a view appears.
	await page.addInitScript(() => {
		new MutationObserver(() => {
			if (document.querySelector('main[data-view]')) performance.mark('drawn');
		}).observe(document, { attributes: true, subtree: true, attributeFilter: ['data-view'] });
	});
	return { page, cdp };
}

function kilobytes(bytes: number): string {
	return `${(bytes / 1000).toFixed(1)} KB gzipped`;
}

function milliseconds(times: readonly number[]): string {
	return `${median([...times]).toFixed(0)} ms (${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)})`;
}

function say(label: string, figure: string): void {
	process.stdout.write(`${label}: ${figure}\n`);
}
