import { MESSAGE_LIMIT, plainText } from '../../text/escape.ts';
import { formatDuration } from '../../text/numbers.ts';
import { type Phrase, phrase } from '../../text/phrase.ts';
import type { MeasureResult } from '../../types/ranking/measure.ts';

/**
 * Returns what repeating a run needs and how long it takes, and the command that sends its first scenario's load without benchgate. That
 * of a fixed rate it is not: autocannon sends what is due in a second at once.
 */
export function describeByHand({ setup, measuringSeconds }: MeasureResult): readonly Phrase[] {
	const needs = phrase`It needs Node 22 or later with npm, and took ${formatDuration(measuringSeconds)} here, without installing.`;
	const scenario = setup.scenarios.find(({ byHand, load }) => byHand !== undefined && load.rate === undefined);
	if (scenario?.byHand === undefined) return [needs];
	const { connections, pipelining } = scenario.load;
	const seconds = Math.max(1, Math.round(setup.timing.soloSeconds));
	const command = `npx autocannon -c ${connections} -p ${pipelining} -d ${seconds} ${scenario.byHand}`;
	return [
		needs,
		phrase`To load a server of your own as in ${{ code: plainText(scenario.name, MESSAGE_LIMIT) }}, by hand: ${{ code: plainText(command, MESSAGE_LIMIT) }}`,
	];
}
