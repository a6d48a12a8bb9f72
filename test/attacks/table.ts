/** Table of attacks in docs/security.md. `npm run golden` writes it, a test compares. */
import { type Attack, type Ending, endingsOf } from './attack.ts';
import { ANSWER_HEADS } from './heads/answer-heads.ts';
import { BUILD_HEADS } from './heads/build-heads.ts';
import { GATE_HEADS } from './heads/gate-heads.ts';
import { LOOK_HEADS } from './heads/look-heads.ts';
import { OUTPUT_HEADS } from './heads/output-heads.ts';
import { REACH_HEADS } from './heads/reach-heads.ts';
import { STARVE_HEADS } from './heads/starve-heads.ts';
import { WORK_HEADS } from './heads/work-heads.ts';

export const ATTACKS: readonly (readonly [string, readonly Attack[]])[] = [
	['What it is held to', GATE_HEADS],
	['Its answers', ANSWER_HEADS],
	['Its build', BUILD_HEADS],
	['What it could learn and change', LOOK_HEADS],
	['Tokens, processes, the other side', REACH_HEADS],
	['What base needs of the machine', STARVE_HEADS],
	['Its work', WORK_HEADS],
	['Words', OUTPUT_HEADS],
];

const ENDINGS: Readonly<Record<Ending, string>> = {
	red: 'red',
	neutral: 'neutral',
	honest: 'measured as it is',
};
const COLUMNS = ['users', 'namespace', 'none'] as const;

/** Returns the Markdown table of all attacks and their outcome at each level. */
export function attackTable(): string {
	const rows = ATTACKS.flatMap(([group, attacks]) =>
		attacks.map((attack, index) => {
			const endings = new Map(endingsOf(attack));
			const cells = COLUMNS.map((level) => {
				const ending = endings.get(level);
				return ending === undefined ? '' : ENDINGS[ending];
			});
			return `| ${index === 0 ? `**${group}**` : ''} | ${attack.does} | ${cells.join(' | ')} |`;
		}),
	);
	const head = ['', 'a pull request that …', ...COLUMNS.map((level) => `\`${level}\``)];
	return [`| ${head.join(' | ')} |`, `| ${head.map(() => '---').join(' | ')} |`, ...rows].join('\n');
}
