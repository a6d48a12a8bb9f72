/**
 * Is a ranking sane? Checks statements that hold on any machine against a result of `benchgate measure --json`: the
 * order of some servers and scenarios, and identities between figures. Without a file checks the committed example.
 * Options: RESULT.json
 */
import { readFileSync } from 'node:fs';
import type { RankingResult } from '../src/types/ranking/ranking.ts';
import { sanityOf } from './shared/sanity-checks.ts';

const file = process.argv[2] ?? new URL('../docs/examples/measure.json', import.meta.url);
const result = JSON.parse(readFileSync(file, 'utf8')) as RankingResult;
for (const { statement, of, holds, open, fails } of sanityOf(result)) {
	console.log(`${holds === of ? '✓' : fails.length > 0 ? '✗' : '?'} ${statement}: ${holds} of ${of}`);
	if (open.length > 0) console.log(`    cannot be told: ${open.join(', ')}`);
	if (fails.length > 0) console.log(`    not so: ${fails.join(', ')}`);
}
