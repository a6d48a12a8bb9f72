import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { renderSelftestJson } from '../../src/formats/json-files.ts';
import { toMarkdown } from '../../src/report/document/markdown-writer.ts';
import { toTerminal } from '../../src/report/document/terminal-writer.ts';
import { selftestDocument } from '../../src/report/selftest-document.ts';
import { SELFTEST_SCHEMA, type SelftestResult } from '../../src/types/selftest.ts';
import { simulate } from '../runs/selftest/simulated.ts';
import { assertGolden } from '../support/golden.ts';
import { strictly } from '../support/strict-schema.ts';

const HOSTILE = '](javascript:x) <img src=x onerror=y> @everyone #1 | `a`\n\u202e **b**';

const usual = await simulate({ sd: 0.02 });
const CASES: Readonly<Record<string, SelftestResult>> = {
	usual,
	noisy: await simulate({ sd: 0.2 }),
	unsound: await simulate({ sd: 0.01, bias: -0.08 }),
	interrupted: await simulate({ sd: 0.02, interruptAfter: 2 }),
	unmeasured: await simulate({ broken: true }),
	hostile: {
		...(await simulate({ broken: true })),
		environment: { ...usual.environment, cpuModel: HOSTILE, os: HOSTILE },
		pinning: { available: false, note: HOSTILE },
		warnings: [{ code: 'crashed', message: HOSTILE }],
		reasons: [HOSTILE],
	},
};

test('a machine on which no comparison is decided is too noisy, and not sound', () => {
	const undecided = (result: SelftestResult, count: number) => ({
		...result,
		trials: result.trials.map((trial, at) => ({
			...trial,
			verdict: at < count ? ('inconclusive' as const) : trial.verdict,
		})),
	});
	const text = (result: SelftestResult) =>
		toTerminal(selftestDocument(result), { colour: false, width: 100 }).replace(/\s+/g, ' ');
	assert.match(text(usual), /^SOUND /);
	const all = undecided(usual, usual.trials.length);
	assert.match(
		text(all),
		/^TOO NOISY 0 false alarms in \d+ comparisons .*too noisy to decide any of them at threshold 5 %/,
	);
	const some = text(undecided(usual, usual.trials.length - 8));
	assert.match(some, /^SOUND .* But \d+ of these \d+ comparisons were too noisy/);
});

describe('reports are as reviewed', () => {
	for (const name of ['usual', 'hostile']) {
		const text = toMarkdown(selftestDocument(CASES[name] as SelftestResult));
		test(`${name}, Markdown`, () => assertGolden(`selftest/${name}.md`, text));
	}
	for (const [name, result] of Object.entries(CASES).filter(([one]) => one !== 'hostile')) {
		const text = toTerminal(selftestDocument(result), { colour: false, width: 100 });
		test(`${name}, terminal`, () => assertGolden(`selftest/${name}.txt`, `${text}\n`));
	}
	test('JSON', () =>
		assertGolden('selftest/interrupted.json', renderSelftestJson(CASES.interrupted as SelftestResult)));
});

describe('JSON reads back as the result and matches the schema, with no key unknown to the schema', () => {
	const validate = new Ajv2020({ allowUnionTypes: true, allErrors: true }).compile(strictly(SELFTEST_SCHEMA));
	for (const [name, result] of Object.entries(CASES)) {
		test(name, () => {
			const read: unknown = JSON.parse(renderSelftestJson(result));
			assert.deepEqual(read, result);
			validate(read);
			assert.deepEqual(validate.errors, null);
		});
	}
});

test('the advice is a command that a user can run, the usual matrix first', () => {
	const text = toTerminal(selftestDocument(usual), { colour: false, width: 200 });
	assert.match(text, /^ {2}- On this machine use a threshold of [\d.]+ % or more with a budget of 10m for 24 rows\.$/m);
	assert.match(
		text,
		/^ {2}- Also possible: [\d.]+ % with a budget of 10m for 6 rows; [\d.]+ % with a budget of 20m for 6 rows; /m,
	);
});

test('a selftest without injections reports that it did not look for slowdowns', async () => {
	const advice = /^ {2}(?:- )?There was no time to test whether it finds a slowdown: use --budget 20m\.$/m;
	const short = await simulate({ sd: 0.01, budget: 47 });
	assert.ok(short.trials.length > 0 && short.trials.every(({ drop }) => drop === 0));
	assert.match(toTerminal(selftestDocument(short), { colour: false, width: 200 }), advice);
	assert.doesNotMatch(toTerminal(selftestDocument(usual), { colour: false, width: 200 }), advice);
});

test('colours change nothing but colours', () => {
	const plain = toTerminal(selftestDocument(usual), { colour: false, width: 100 });
	const painted = toTerminal(selftestDocument(usual), { colour: true, width: 100 });
	assert.notEqual(painted, plain);
	// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours are made of
	assert.equal(painted.replace(/\u001b\[\d+m/g, ''), plain);
});

test('foreign text becomes no element or link', () => {
	const html = micromark(toMarkdown(selftestDocument(CASES.hostile as SelftestResult)), {
		allowDangerousHtml: true,
		allowDangerousProtocol: true,
		extensions: [gfm()],
		htmlExtensions: [gfmHtml()],
	});
	assert.doesNotMatch(html, /<img|<a |<b>|href|<strong>b/);
	assert.doesNotMatch(html.replace(/<(code|pre)[^>]*>.*?<\/\1>/gs, ''), /@[a-z]|#\d/i);
});
