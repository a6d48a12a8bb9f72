import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDocument } from '../../src/report/check-document.ts';
import { toTerminal } from '../../src/report/document/terminal-writer.ts';
import type { Finding } from '../../src/types/finding.ts';
import { assertGolden } from '../support/golden.ts';

const FINDINGS: readonly Finding[] = [
	{ kind: 'ok', about: 'config', text: 'benchgate.yml: api with 3 scenarios' },
	{ kind: 'ok', about: 'base', text: 'main@1a2b3c4, ready to start 1 server: api' },
	{
		kind: 'problem',
		about: 'head',
		text: 'head (.): the build failed: npm ci, exit code 1',
		details: 'npm error code EUSAGE\n\nnpm error \u001b[31mMissing\u001b[0m: left-pad@1.3.0 from lock file',
		remedy: 'run npm install and commit package-lock.json',
		exitCode: 3,
	},
	{
		kind: 'problem',
		about: 'answers',
		text: `api/list: head gave a wrong answer: ${'<b>\u202e'.repeat(30)}`,
		exitCode: 1,
	},
	{ kind: 'note', about: 'isolation', text: 'none: base and head run as your user', remedy: 'run as root' },
];

test('findings, as a terminal shows them', () => {
	assertGolden(
		'check/terminal.txt',
		`${toTerminal(checkDocument(FINDINGS, 'benchgate compare'), { colour: false, width: 90 })}\n`,
	);
	assertGolden(
		'check/narrow.txt',
		`${toTerminal(checkDocument(FINDINGS, 'benchgate compare'), { colour: false, width: 20 })}\n`,
	);
});

test('without a problem it names the next step', () => {
	const findings = FINDINGS.filter(({ kind }) => kind !== 'problem');
	const text = toTerminal(checkDocument(findings, 'benchgate compare --base a'), { colour: false, width: 80 });
	assert.match(text, /\n\nNo problems found\. Next: benchgate compare --base a$/);
});

test('colour is only on the word for the kind of a finding', () => {
	const text = toTerminal(checkDocument(FINDINGS.slice(0, 1), ''), { colour: true, width: 80 });
	assert.equal(text.split('\n')[0], '\u001b[32mok       \u001b[39mconfig     benchgate.yml: api with 3 scenarios');
});
