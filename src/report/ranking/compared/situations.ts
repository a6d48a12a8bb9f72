/** First places by use case. */
import { isRate } from '../../../rank/ratios.ts';
import { NONE } from '../../../text/numbers.ts';
import { joinAnd, type Phrase, phrase } from '../../../text/phrase.ts';
import type { RankingRow } from '../../../types/ranking/ranking.ts';
import type { WordedTable } from '../../document/document.ts';
import { areOfOneMachine } from '../ranking-facts.ts';
import { own, partOf, writeFigure, writePart } from '../ranking-figures.ts';
import { nameOf } from '../ranking-words.ts';
import type { Ranked } from './servers-in-short.ts';

/** Use case, and the most similar scenario. */
const SITUATIONS = [
	['small JSON answers', 'json-hello'],
	['large JSON answers', 'json-nested'],
	['routes with parameters', 'param-json'],
	['hundreds of routes', 'many-routes-1000'],
	['tokens on every request', 'auth-get'],
	['JSON bodies that are validated', 'full-pipeline'],
	['large bodies that are validated', 'validate-10'],
	['several middlewares', 'middleware-5'],
	['a log of every request', 'logging'],
	['gzip, CORS and timeouts in the server itself', 'production-stack'],
	['clients that cache', 'conditional-get'],
	['clients that ask too often', 'rate-limit-flood'],
	['processes that start often', 'startup'],
	['reloads while you develop', 'hot-reload'],
	['little memory', 'footprint'],
] as const;

const MOST_NAMED = 4;

/** Returns the first servers per use case; null with fewer than two use cases. */
export function situationsTable(scenarios: readonly Ranked[]): WordedTable | null {
	const rows = SITUATIONS.flatMap(([situation, name]) => {
		const ranked = scenarios.find((scenario) => scenario.name === name)?.rows.filter(({ rank }) => rank !== null) ?? [];
		const firsts = ranked.filter(({ rank }) => rank?.first === 1);
		const [first] = firsts;
		if (first === undefined || ranked.length < 2) return [];
		const cells = [own(situation), nameOf(name), nameAll(firsts), nextOf(ranked, first)];
		return [{ cells, isBare: !isRate(first.judgedBy) }];
	});
	if (rows.length < 2) return null;
	const bare = rows.some(({ isBare }) => isBare)
		? ' Of times and memory, which are better smaller, it has the figures.'
		: '';
	return {
		title: 'Which server for what',
		columns: ['for', 'scenario', 'first', 'then'].map((label) => ({ label, align: 'left' as const })),
		rows: rows.map(({ cells }) => cells),
		note: `First: servers share the first place if their intervals overlap. Then: the next one, and what it reaches of the first.${bare} A scenario is only like a situation; measure what your service does.`,
	};
}

function nextOf(ranked: readonly RankingRow[], first: RankingRow): Phrase {
	const next = ranked.find(({ rank }) => rank !== null && rank.first > 1);
	if (next === undefined) return own(NONE);
	const words = isRate(next.judgedBy) ? writePart(next, first) : compareBare(next, first);
	return words === NONE ? nameOf(next.server) : phrase`${nameOf(next.server)} (${words})`;
}

/** Shows both figures: where less is better, a fraction would mislead. Across machines only shares can be compared. */
function compareBare(next: RankingRow, first: RankingRow): string {
	const figures = [next, first].map(writeFigure);
	if (areOfOneMachine([next, first]) && !figures.includes(NONE)) return figures.join(', the first ');
	const part = next.logShare === null || first.logShare === null ? null : partOf(next, first);
	return part === null ? NONE : `${(1 / part).toFixed(1)} times as much`;
}

function nameAll(rows: readonly RankingRow[]): Phrase {
	const names = rows.slice(0, MOST_NAMED).map(({ server }) => nameOf(server));
	const more = rows.length - names.length;
	return joinAnd(more > 0 ? [...names, own(`${more} more`)] : names);
}
