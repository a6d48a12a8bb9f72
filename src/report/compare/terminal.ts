import type { Result } from '../../types/result.ts';
import { type TerminalStyle, toTerminal } from '../document/terminal-writer.ts';
import type { Audience } from './audience.ts';
import { type ComparisonParts, comparisonDocument } from './comparison-document.ts';

export interface TerminalOptions extends TerminalStyle, Pick<ComparisonParts, 'verbose'> {
	readonly audience?: Audience;
}

/** Returns lines of `width` columns without a final line feed. */
export function renderTerminal(result: Result, { verbose = false, audience, ...style }: TerminalOptions): string {
	return toTerminal(comparisonDocument(result, { ...audience, verbose }), style);
}
