import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { writeLink, writeMarkdown } from '../document/markdown-writer.ts';

export type CommandAnswer =
	| { readonly kind: 'started'; readonly command: string; readonly runUrl: string; readonly attempt: number }
	| {
			readonly kind: 'ended';
			readonly command: string;
			readonly runUrl: string;
			readonly attempt: number;
			readonly reportUrl: string | null;
	  }
	| { readonly kind: 'misread'; readonly problem: string }
	/** The previous run may still be measuring. */
	| { readonly kind: 'running'; readonly runUrl: string }
	/** A first-time contributor's run waits for approval, or its jobs were skipped. */
	| { readonly kind: 'never-started'; readonly runUrl: string; readonly conclusion: string }
	| { readonly kind: 'no-run'; readonly workflow: string; readonly headSha: string }
	| { readonly kind: 'no-workflow'; readonly workflow: string }
	/** GitHub refused the rerun; `reason` quotes it. */
	| { readonly kind: 'refused'; readonly reason: string };

const SHORT_SHA = 10;
const USAGE =
	'Write `/benchgate` to measure everything again, or `/benchgate SCENARIO… threshold=5%` for some scenarios or another threshold, in a new comment.';

export function renderCommandAnswer(answer: CommandAnswer): string {
	switch (answer.kind) {
		case 'started': {
			const run = writeLink(`attempt ${answer.attempt} of the run`, answer.runUrl);
			return `Measuring ${code(answer.command)} in ${run}. Its result gets a comment and a check of its own, and does not change the gate. \`/benchgate\` alone measures everything again.`;
		}
		case 'ended': {
			const run = writeLink(`attempt ${answer.attempt} of the run`, answer.runUrl);
			const report = answer.reportUrl === null ? 'its summary has the report' : writeLink('report', answer.reportUrl);
			return `${code(answer.command)} has ended in ${run}: ${report}. It does not change the gate. \`/benchgate\` alone measures everything again.`;
		}
		case 'misread':
			return `Nothing was started: ${writeMarkdown([{ text: plainText(answer.problem, MESSAGE_LIMIT) }])}. ${USAGE}`;
		case 'running':
			return `Nothing was started: ${writeLink('the run of this commit', answer.runUrl)} has not ended yet. Repeat the command when it has.`;
		case 'never-started':
			return `Nothing was started: ${writeLink('the run of this commit', answer.runUrl)} never ran (${code(answer.conclusion)}). ${
				answer.conclusion === 'action_required'
					? 'Read the code, approve the run, and let it end. Then repeat the command.'
					: 'Push a commit that its workflow does not skip.'
			}`;
		case 'no-run':
			return `Nothing was started: ${code(answer.workflow)} has not run for ${code(answer.headSha.slice(0, SHORT_SHA))}, the head of this pull request. Push a commit, or close and reopen the pull request. If another workflow measures, name its file with the input ${code('workflow')}.`;
		case 'no-workflow':
			return `Nothing was started: this repository has no workflow ${code(answer.workflow)}. Name the file of the one that measures with the input ${code('workflow')}.`;
		case 'refused':
			return `Nothing was started: ${writeMarkdown([{ text: answer.reason }])} Push a commit: its run measures everything.`;
	}
}

function code(text: string): string {
	return writeMarkdown([{ code: plainText(text, NAME_LIMIT) }]);
}
