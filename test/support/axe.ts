/** Accessibility findings of axe on a page in a real browser. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
	readonly id: string;
	readonly impact: string;
	readonly nodes: readonly { readonly html: string }[];
}

/** Returns serious and critical findings by all rules, each with the number of elements and the first of them. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
	await page.evaluate(AXE);
	// Passing rules and the paths of elements are left out.
	const run = "axe.run({ resultTypes: ['violations'], selectors: false })";
	const { violations } = (await page.evaluate(run)) as { readonly violations: readonly Violation[] };
	return violations
		.filter(({ impact }) => impact === 'serious' || impact === 'critical')
		.map(({ id, nodes }) => `${id} ×${nodes.length}: ${nodes[0]?.html}`);
}
