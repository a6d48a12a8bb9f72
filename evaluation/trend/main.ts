/**
 * Measures change points and bisect, and writes docs/evaluation/trend.json and docs/evaluation/trend.md: `node
 * evaluation/trend/main.ts [--only tune,test,otava,bisect] [--python PATH --otava CHECKOUT]`. Keeps the results of
 * other parts.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readAllSeries } from '../series-files.ts';
import { simulateBisects } from './bisect-cases.ts';
import { changesInOtavaData, compareWithOtava, tuneOtava } from './otava.ts';
import { testRules, tuneRule } from './test-rules.ts';
import { renderTrend, type TrendResults } from './trend-page.ts';

const FOLDER = fileURLToPath(new URL('../../docs/evaluation/', import.meta.url));
const RESULTS = join(FOLDER, 'trend.json');
const NOTHING: TrendResults = { tuned: [], tested: [], otava: null, bisect: [] };

const { values } = parseArgs({
	options: {
		only: { type: 'string', default: 'tune,test,otava,bisect' },
		python: { type: 'string' },
		otava: { type: 'string' },
		runs: { type: 'string', default: '1000' },
	},
});
const wanted = values.only.split(',');

const { series } = await readAllSeries(join(FOLDER, 'data'));
const { python, otava } = values;
const made: Partial<TrendResults> = {
	...(wanted.includes('tune') && { tuned: tuneRule(series) }),
	...(wanted.includes('test') && { tested: testRules(series) }),
	...(wanted.includes('bisect') && { bisect: simulateBisects(Number(values.runs)) }),
	...(wanted.includes('otava') &&
		python !== undefined &&
		otava !== undefined && { otava: await askOtava(python, otava) }),
};
// Read at the end, so that processes can compute different parts at the same time.
const kept = existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as TrendResults) : NOTHING;
const results: TrendResults = { ...kept, ...made };
writeFileSync(RESULTS, `${JSON.stringify(results, null, '\t')}\n`);
writeFileSync(join(FOLDER, 'trend.md'), renderTrend(results));

async function askOtava(path: string, checkout: string): Promise<NonNullable<TrendResults['otava']>> {
	const version = versionOf(path);
	// First, because it is quick and fails if the checkout is unusable.
	const own = await changesInOtavaData(path, checkout);
	const tuned = tuneOtava(series, path);
	const rules = await compareWithOtava(series, path, tuned);
	return { version, tuned: await tuned, rules, own };
}

function versionOf(path: string): string {
	const script = 'import importlib.metadata as m; print(m.version("apache-otava"))';
	return execFileSync(path, ['-c', script], { encoding: 'utf8' }).trim();
}
