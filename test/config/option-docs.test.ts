/** Tables of flags, keys and defaults on pages match the table of options. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FILE_OPTIONS, flagOf, optionsOf } from '../../src/config/option-names.ts';
import { COUNTED_SECONDS } from '../../src/config/options/measure-options.ts';
import { useOf } from '../../src/config/options/option-entry.ts';
import { forPages, MEASURE_FORMAT_NAMES } from '../../src/report/formats.ts';
import { formatPercent } from '../../src/text/numbers.ts';
import { GATED_METRICS, isCounted, METRICS } from '../../src/types/metric.ts';
import { rowsOf } from '../support/pages/markdown-page.ts';

const read = (page: string) => readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
/** docs/report.md has the formats of every kind of report. */
const OWN_FORMATS = MEASURE_FORMAT_NAMES.filter((name) => !(name in forPages(() => null)));
/** Flags of `benchgate measure` that are no options of a request. */
const OTHER_FLAGS = ['--out', '--merge', '--dry-run', '--format', ...OWN_FORMATS.map((name) => `--${name}`)];
/** Defaults that mean "no change" are left out of tables. */
const UNSAID = ['none', 'benchgate'];

test('docs/measure.md has every flag of a ranking once, with its default', () => {
	const rows = rowsOf(read('measure.md'), 'flag').map(([flags = '', meaning = '']) => ({
		flags: [...flags.matchAll(/`(--[a-z-]+)/g)].map(([, flag = '']) => flag),
		meaning,
	}));
	const options = optionsOf('measure');
	assert.deepEqual(
		rows.flatMap(({ flags }) => flags).toSorted(),
		[...options.map(([name]) => flagOf(name)), ...OTHER_FLAGS].toSorted(),
	);
	for (const [name, entry] of options) {
		const value = useOf(entry, 'measure')?.default;
		if (value === undefined || UNSAID.includes(value)) continue;
		const row = rows.find(({ flags }) => flags.includes(flagOf(name)));
		assert.ok(row?.meaning.endsWith(`; \`${value}\``), `${flagOf(name)}: ${row?.meaning}`);
	}
	const duration = rows.find(({ flags }) => flags.includes('--duration'));
	assert.ok(duration?.meaning.endsWith(`; \`${COUNTED_SECONDS}s\``), duration?.meaning);
});

test('docs/config.md has the default of every key that has one', () => {
	// Keys of the top level link to their sections.
	const documented = rowsOf(read('config.md'), 'key').flatMap(([keys = '', defaults = '']) => {
		const names = [...(/\[(.*?)\]/.exec(keys)?.[1] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name);
		const values = names.length === 1 ? [defaults] : defaults.split(', ');
		return names.map((name, at) => [name, values[at]] as const);
	});
	const defaultOf = new Map(documented);
	const defaults = FILE_OPTIONS.flatMap(([, entry]) => {
		const value = useOf(entry, 'compare')?.default;
		return entry.file === undefined || entry.file.includes('.') || value === undefined ? [] : [[entry.file, value]];
	});
	assert.ok(defaults.length > 4, `${defaults.length} keys`);
	for (const [key = '', value] of defaults) assert.equal(defaultOf.get(key), `\`${value}\``, key);
});

test('docs/config.md has every metric that can be gated, with its own threshold', () => {
	const documented = rowsOf(read('config.md'), 'metric').flatMap(([names = '', , threshold = '']) =>
		[...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, threshold]),
	);
	const defaultThreshold = (name: (typeof GATED_METRICS)[number]) => {
		const { threshold }: { readonly threshold?: number } = METRICS[name];
		if (threshold === undefined) return 'of the scenario';
		return isCounted(name) ? `+${threshold}` : formatPercent(threshold);
	};
	assert.deepEqual(documented.toSorted(), GATED_METRICS.map((name) => [name, defaultThreshold(name)]).toSorted());
});
