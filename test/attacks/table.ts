/** The table of attacks in docs/security.md, made from the suite. `npm run golden` writes it, a test compares. */
import type { Attack, Ending } from './attack.ts';
import { ANSWER_HEADS } from './heads/answer-heads.ts';
import { BUILD_HEADS } from './heads/build-heads.ts';
import { GATE_HEADS } from './heads/gate-heads.ts';
import { OUTPUT_HEADS } from './heads/output-heads.ts';
import { REACH_HEADS } from './heads/reach-heads.ts';

export const ATTACKS: readonly (readonly [string, readonly Attack[]])[] = [
	['What it is held to', GATE_HEADS],
	['Its answers', ANSWER_HEADS],
	['Its build', BUILD_HEADS],
	['Tokens, processes, the other side', REACH_HEADS],
	['Words', OUTPUT_HEADS],
];

const ENDINGS: Readonly<Record<Ending, string>> = {
	red: 'red',
	neutral: 'neutral',
	honest: 'measured as it is',
};

/** Returns the Markdown table of all attacks and what becomes of them without isolation. */
export function attackTable(): string {
	const rows = ATTACKS.flatMap(([group, attacks]) =>
		attacks.map(({ does, ends }, index) => `| ${index === 0 ? `**${group}**` : ''} | ${does} | ${ENDINGS[ends]} |`),
	);
	return ['| | a pull request that … | without isolation |', '| --- | --- | --- |', ...rows].join('\n');
}
