import { MESSAGE_LIMIT, plainText } from '../text/escape.ts';
import { notExercised, whyAffected } from '../text/impact-words.ts';
import { nameAll, plainPhrase } from '../text/phrase.ts';
import type { ChangedCode } from '../types/impact.ts';
import type { RunContext } from '../types/result.ts';
import type { Warning } from '../types/units.ts';
import type { Gate } from '../types/verdict.ts';

const MOST_NAMED = 3;

/** Returns a warning for each reason why rows are measured, except reasons that lie in the config. */
export function warnOfImpact({ because = {} }: Pick<RunContext, 'because'>): readonly Warning[] {
	const whys = Object.entries(because).flatMap(([cell, reason]) => {
		const words = whyAffected(reason);
		return words ? [{ cell, why: plainPhrase(words) }] : [];
	});
	return [...Map.groupBy(whys, ({ why }) => why)].map(([why, same]) => {
		const cells = same.map(({ cell }) => cell);
		return { code: 'affected', message: plainText(`Measured ${why}: ${nameAll(cells, MOST_NAMED)}.`, MESSAGE_LIMIT) };
	});
}

/** Makes a passed gate neutral if no row runs some changed code and the config asks for it. */
export function withUncovered(gate: Gate, changed: ChangedCode | undefined): Gate {
	const words = changed?.uncovered === 'neutral' && gate.outcome === 'pass' ? notExercised(changed) : null;
	if (words === null) return gate;
	const sentence = plainText(plainPhrase(words), MESSAGE_LIMIT);
	const causes = [{ kind: 'not-exercised' as const, rows: [], sentence }, ...(gate.causes ?? [])];
	return { outcome: 'inconclusive', reasons: causes.map((cause) => cause.sentence), causes, neutral: 'always' };
}
