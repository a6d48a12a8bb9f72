import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toHtml } from '../../../src/report/document/html-writer.ts';
import { causeOf, whyOf } from '../../../src/report/explain/why.ts';
import { rowSection } from '../../../src/report/explain/why-sections.ts';
import { plainPhrase } from '../../../src/text/phrase.ts';
import type { CountedPeer, Counts } from '../../../src/types/explain/counts.ts';
import type { Profile } from '../../../src/types/explain/profile.ts';
import { countedFunction, countsOf, explainedRow, profileOf } from '../explain-cases.ts';

function page(profile: Profile, more: Parameters<typeof explainedRow>[0] = {}): string {
	return toHtml({ headline: null, sections: [rowSection(explainedRow({ profile, ...more }))] });
}
const peerOf = (base: number, head: number): CountedPeer => {
	const bytes = { base: 70, head: 70, varies: false, differs: false };
	const roundTrips = { base, head, varies: false, differs: true };
	return { address: '127.0.0.1:5432', name: 'postgres', roundTrips, bytesSent: bytes, bytesReceived: bytes };
};
const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, '').replaceAll('\u00a0', ' ');

test('names function, place and share if counts explain nothing, and escapes names of code under test', () => {
	const html = page(profileOf());
	const words = 'router/lib/layer.js:122, changed here): +3.1 µs [2.6 … 3.6] of CPU a request, 91 % of the difference.';
	assert.equal(textOf(html).split(words).length, 2, textOf(html));
	assert.doesNotMatch(html, /match<script>/);
	assert.match(html, /tabindex="0" role="img" aria-label="match&lt;script&gt;/);
});

test('a part of an uncertain difference has no share', () => {
	const flat = { base: 20, head: 23.4, change: 3.4, low: 1.4, high: 5.4 };
	assert.match(textOf(page(profileOf({ flat }))), /\+3\.1 µs \[2\.6 … 3\.6\] of CPU a request\./);
});

test('counts come first if the profile locates what they name, and the profile comes first if it does not', () => {
	const { path, line } = profileOf().functions[1] ?? { path: '', line: 0 };
	const here = countedFunction({ path, line, name: 'twice' });
	const [called, peer] = [countedFunction({ state: 'same', caller: here }), peerOf(1, 2)];
	const elsewhere = countedFunction({ name: 'elsewhere' });
	const cases: readonly (readonly [Partial<Counts>, RegExp, string])[] = [
		[{ functions: [elsewhere, here] }, /^twice runs 24×.*match<script>/, `${path}:${line}`],
		[
			{ functions: [elsewhere, called] },
			/^twice .* calls layer\.match, which runs 24×.*match<script>/,
			`${path}:${line}`,
		],
		[{ functions: [elsewhere] }, /^match<script>.* elsewhere runs 24×/, `${path}:${line}`],
		[{ functions: [elsewhere], peers: [peer] }, /^elsewhere runs.* round trips.*match<script>/, 'lib/router.js:122'],
		[{}, /^match<script>[^;]* difference\.$/, `${path}:${line}`],
	];
	for (const [more, expected, place] of cases) {
		const row = explainedRow({ profile: profileOf(), counts: countsOf(more) });
		assert.match(plainPhrase(whyOf(row)), expected);
		const cause = causeOf(row);
		assert.equal(`${cause?.path}:${cause?.line}`, place);
	}
});

test('says that no function is clear of noise, that an optimisation was lost, and that CPU time is equal', () => {
	const textFor = (cause: Profile['cause']) => textOf(page(profileOf({ cause })));
	const spread = textFor({ kind: 'not-located', functions: 31 });
	assert.match(
		spread,
		/Not located: \+3\.4 µs \[2\.9 … 3\.9\] of CPU a request is spread over 31 functions, none clear of its noise\./,
	);
	assert.match(textFor({ kind: 'not-located', functions: 0 }), /too few rounds without inlining/);
	assert.match(
		textFor({ kind: 'optimisation-lost' }),
		/disappears without inlining, so V8 optimises the sides differently/,
	);
	assert.match(textFor({ kind: 'same-cost' }), /No clear difference in CPU a request: \+3\.4 µs/);
});

test('draws 5,000 frames, names the coloured and the widest, and leaves out those too narrow to see', () => {
	const { functions } = profileOf();
	const others = [...functions, ...functions.slice(1).map((each) => ({ ...each, name: 'other', clear: false }))];
	const wide = Array.from({ length: 5_000 }, (_, at) => [at - 1, at === 4_000 ? 1 : 2, 5_000 - at, 0] as const);
	const html = page(profileOf({ frames: wide, functions: others }));
	assert.equal(html.split('<rect').length - 1, 200);
	assert.equal(html.split(' class="slower"').length - 1, 1);
	const [, outline = ''] = / d="([^"]*)"/.exec(html) ?? [];
	assert.equal(outline.split('M').length - 1, 4_798);
	assert.match(html, /<title>4798 small frames, named in explain\.json</);
	const narrow = Array.from({ length: 5_000 }, (_, at) => [at === 0 ? -1 : 0, 1, 1, at === 0 ? 5_000 : 1] as const);
	assert.ok(!page(profileOf({ frames: narrow })).includes('<rect'));
});
