import fc from 'fast-check';

/** Tampered JSON texts: exchanged values, added keys and tokens, cut ends. */

/** A marker of the attacker: no message may contain this word. */
export const CANARY = 'Canary';

/** Values that fit nowhere, or nearly everywhere. */
const NASTY: readonly unknown[] = [
	...[null, true, 0, -0, -1, 1.5, 1e16, -1e16, 1e-320, 1e300, '', 'regressed', 'pass', CANARY, 'compared'],
	...['\ud800', '\u202e\u0000\n', '`'.repeat(900), '<!-- -->', '|'.repeat(500), 'x'.repeat(60_000)],
	...[[], {}, [[]], [null], { kind: 'cancelled' }, { low: null, high: null, confidence: 1 }],
	JSON.parse('{"__proto__":{"kind":"failed"},"constructor":{"prototype":1}}'),
];
const TOKENS = [
	'1e999',
	'-1e999',
	'"__proto__":',
	'[',
	']',
	'{',
	'}',
	'"',
	',',
	'\\u0000',
	'\\',
	'null',
	'-',
	'\ufeff',
];

type Change = (text: string) => string;

const changeValue: fc.Arbitrary<Change> = fc
	.tuple(
		fc.nat(),
		fc.constantFrom('alike', 'alike', 'replace', 'remove', 'add', 'copy'),
		fc.constantFrom(...NASTY),
		fc.nat(),
	)
	.map(([where, how, nasty, from]) => (text) => {
		const places = parsed(text);
		const place = places[where % Math.max(1, places.length)];
		if (!place) return text;
		const { holder, key, root } = place;
		if (how === 'remove') delete holder[key];
		else if (how === 'add') holder[CANARY] = nasty;
		else if (how === 'copy') holder[key] = valueAt(places[from % places.length]);
		else if (how === 'alike') holder[key] = alike(holder[key], from);
		else holder[key] = nasty;
		return stringify(root) ?? text;
	});

/** Another value of the same type. */
function alike(value: unknown, choice: number): unknown {
	const others = NASTY.filter((nasty) => typeof nasty === typeof value);
	return others[choice % Math.max(1, others.length)];
}

const changeText: fc.Arbitrary<Change> = fc
	.tuple(fc.nat(), fc.nat({ max: 40 }), fc.oneof(fc.constantFrom(...TOKENS), fc.string({ maxLength: 5 })))
	.map(([where, cut, token]) => (text) => {
		const at = where % (text.length + 1);
		return `${text.slice(0, at)}${token}${text.slice(at + cut)}`;
	});

const cutText: fc.Arbitrary<Change> = fc.nat().map((where) => (text) => text.slice(0, where % (text.length + 1)));

/** Returns texts derived from one of `texts` by one to three changes. */
export function hostileJson(texts: readonly string[]): fc.Arbitrary<string> {
	const changes = fc.array(
		fc.oneof(
			{ arbitrary: changeValue, weight: 6 },
			{ arbitrary: changeText, weight: 3 },
			{ arbitrary: cutText, weight: 1 },
		),
		{ minLength: 1, maxLength: 3 },
	);
	return fc
		.tuple(fc.constantFrom(...texts), changes)
		.map(([text, made]) => made.reduce((changed, change) => change(changed), text));
}

interface Spot {
	readonly holder: Record<string, unknown>;
	readonly key: string;
	readonly root: unknown;
}

/** Every place of the document, or an empty list for invalid JSON. */
function parsed(text: string): Spot[] {
	try {
		const root: unknown = JSON.parse(text);
		return spotsOf(root, root);
	} catch {
		return [];
	}
}

function spotsOf(value: unknown, root: unknown): Spot[] {
	if (typeof value !== 'object' || value === null) return [];
	const holder = value as Record<string, unknown>;
	return Object.keys(holder).flatMap((key) => [{ holder, key, root }, ...spotsOf(holder[key], root)]);
}

function valueAt(spot: Spot | undefined): unknown {
	return spot?.holder[spot.key];
}

/** Null for a copy with a cycle. */
function stringify(value: unknown): string | null {
	try {
		return JSON.stringify(value) ?? null;
	} catch {
		return null;
	}
}
