import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, formatCostChange, formatMicroseconds, formatPercent } from '../../text/numbers.ts';
import { capitalised, joinAnd, type Phrase, phrase, plainPhrase } from '../../text/phrase.ts';
import type { CostChange, NamedFunction, Profile, ProfiledFunction } from '../../types/explain/profile.ts';
import type { Block } from '../document/document.ts';
import { nameWords, placeWords, STATES } from './code-words.ts';
import { drawIcicle } from './icicle.ts';

const MOST_NAMED = 2;
const MOST_ROWS = 30;
const MOST_IN_TERMINAL = 10;
const MOST_GAPS = 3;

/** Returns null if no function is named. */
export function locatedWords({ cause, functions, flat }: Profile): Phrase | null {
	if (cause.kind !== 'located') return null;
	const shown = cause.functions.slice(0, MOST_NAMED).map((each) => namedWords(each, functions, flat));
	const more = cause.functions.length - shown.length;
	const named = joinAnd(more > 0 ? [...shown, [countOf(more, 'more function')]] : shown);
	return phrase`${named}.`;
}

function profileWords(profile: Profile): Phrase {
	const { cause, cost } = profile;
	const whole = formatCostChange(cost.change, cost.low, cost.high);
	switch (cause.kind) {
		case 'located':
			return locatedWords(profile) ?? [];
		case 'optimisation-lost':
			return [
				`not located: ${whole} of CPU a request, which disappears without inlining, so V8 optimises the sides differently.`,
			];
		case 'not-located': {
			if (cause.functions === 0)
				return [`not located: ${whole} of CPU a request. The time allowed too few rounds without inlining.`];
			const spread = countOf(cause.functions, 'function');
			return [`not located: ${whole} of CPU a request is spread over ${spread}, none clear of its noise.`];
		}
		case 'same-cost':
			return [`no clear difference in CPU a request: ${whole}. If head is slower all the same, its requests wait.`];
	}
}

function namedWords(
	{ function: at, scope, movedFrom, cost }: NamedFunction,
	functions: readonly ProfiledFunction[],
	whole: CostChange | undefined,
): Phrase {
	const profiled = functions[at];
	if (profiled === undefined) return [];
	const code = codeWords(profiled);
	const known = code.length === 0 ? placeOf(profiled) : phrase`${placeOf(profiled)}, ${code}`;
	const where = profiled.path === '' ? [] : phrase` (${known})`;
	const callees = scope === 'callees' ? ' and the unchanged code that it calls' : '';
	const from = movedFrom === undefined ? undefined : functions[movedFrom];
	const moved = from === undefined ? [] : phrase` beyond the work of ${nameWords(from)} in base`;
	const time = formatCostChange(cost.change, cost.low, cost.high);
	const isSure = whole !== undefined && (whole.high ?? Infinity) - (whole.low ?? 0) <= Math.abs(whole.change);
	const share = isSure ? `, ${formatPercent(cost.change / whole.change, 0)} of the difference` : '';
	return phrase`${nameWords(profiled)}${where}${callees}${moved}: ${time} of CPU a request${share}`;
}

function placeOf(profiled: ProfiledFunction): Phrase {
	return profiled.path === '' ? [] : placeWords(profiled);
}

function codeWords({ state, versions }: ProfiledFunction): Phrase {
	if (versions === undefined) return STATES[state] === '' ? [] : [STATES[state]];
	return [{ text: plainText(`${versions.base} → ${versions.head}`, NAME_LIMIT) }];
}

function costWords({ cost, flat, rounds, plannedRounds }: Profile): Phrase {
	const { base, head, change, low, high } = cost;
	const natural = `base ${formatMicroseconds(base)}, head ${formatMicroseconds(head)}: ${formatCostChange(change, low, high)} in ${countOf(rounds.natural, 'fresh pair')}`;
	const without = flat
		? `. Without inlining, so that V8 counts each function for itself: ${formatCostChange(flat.change, flat.low, flat.high)} in ${rounds.flat}`
		: '';
	const planned = plannedRounds.natural + plannedRounds.flat;
	const isShort = rounds.natural + rounds.flat < planned ? ` (${planned} pairs were planned)` : '';
	return [`${natural}${without}${isShort}.`];
}

/** Omits words that are in `above`. */
export function profileBlocks(profile: Profile, above: string): readonly Block[] {
	const { functions, gaps } = profile;
	const words = profileWords(profile);
	const picture = drawIcicle(profile);
	return [
		...(above.includes(plainPhrase(words))
			? []
			: [{ kind: 'labelled' as const, label: 'Profile', items: [capitalised(words)] }]),
		{ kind: 'labelled', label: 'CPU a request', items: [costWords(profile)] },
		...(picture === '' ? [] : [{ kind: 'picture' as const, text: '', html: picture, media: ['html'] as const }]),
		...(functions.length === 0 ? [] : [tableOf(profile)]),
		...(gaps.length === 0
			? []
			: [
					{
						kind: 'labelled' as const,
						label: 'Not profiled',
						items: gaps.slice(0, MOST_GAPS).map((gap): Phrase => [{ text: plainText(gap, MESSAGE_LIMIT) }]),
					},
				]),
	];
}

function tableOf({ functions, frames }: Profile): Block {
	const root = functions[frames[0]?.[1] ?? -1];
	const listed = functions
		.filter((each) => each !== root)
		.toSorted((one, other) => Math.abs(other.cost.change) - Math.abs(one.cost.change))
		.slice(0, MOST_ROWS);
	const right = (label: string, spare?: number) => ({ label, align: 'right' as const, ...(spare && { spare }) });
	return {
		kind: 'table',
		columns: [
			{ label: 'CPU a request of', align: 'left', shrinks: true },
			right('base', 1),
			right('head', 1),
			right('change [95 % interval]'),
			{ label: 'where', align: 'left', spare: 3, shrinks: true },
			{ label: 'code', align: 'left', spare: 2 },
		],
		rows: [...(root ? [root] : []), ...listed].map((each): readonly Phrase[] => {
			const { base, head, change, low, high } = each.cost;
			const words = formatCostChange(change, low, high);
			return [
				nameWords(each),
				[formatMicroseconds(base)],
				[formatMicroseconds(head)],
				each.clear ? [{ strong: words }] : [words],
				placeOf(each),
				codeWords(each),
			];
		}),
		terminalRows: MOST_IN_TERMINAL,
		note: `Of a function itself, with native code that it calls. Bold: clear of noise, at a false discovery rate of 10 %.`,
	};
}
