/** docs/security.md lists the suite's attacks and outcomes. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ATTACKS, attackTable } from './table.ts';

const PAGE = fileURLToPath(new URL('../../docs/security.md', import.meta.url));
const BEGIN = '<!-- attacks: written by UPDATE_GOLDEN=1 from test/attacks -->';
const END = '<!-- / -->';

/** Layout changes only blanks and dashes. */
const plain = (table: string): string => table.replaceAll(/ +/g, ' ').replaceAll(/-+/g, '-').trim();

test('the table of attacks matches the suite', () => {
	const page = readFileSync(PAGE, 'utf8');
	const from = page.indexOf(BEGIN) + BEGIN.length;
	const to = page.indexOf(END, from);
	assert.ok(page.includes(BEGIN) && to > from);
	if (process.env.UPDATE_GOLDEN) writeFileSync(PAGE, `${page.slice(0, from)}\n\n${attackTable()}\n\n${page.slice(to)}`);
	else assert.equal(plain(page.slice(from, to)), plain(attackTable()));
});

test('there are forty attacks or more, each listed once', () => {
	const sentences = ATTACKS.flatMap(([, attacks]) => attacks.map(({ does }) => does));
	assert.ok(sentences.length >= 40, `${sentences.length}`);
	assert.equal(new Set(sentences).size, sentences.length);
});
