/** Comments on failed runs. */
import { consequenceOf, type FailureKind, failureKind } from '../../judge/consequence.ts';
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf } from '../../text/numbers.ts';
import { capitalised, type Phrase, phrase } from '../../text/phrase.ts';
import type { Consequence, Failure } from '../../types/action-run.ts';
import { runAgain } from '../compare/audience.ts';
import { COLOURS, tellAdopting, tellAdvisory } from '../compare/effect.ts';
import { COMMAND_LIMIT } from '../compare/report-model.ts';
import { fence, writeMarkdown } from '../document/markdown-writer.ts';
import type { CommentContext } from './comment-context.ts';
import { causeOf, titleOfFailure } from './conclusion-title.ts';

/** Lines from the end of a log, and characters per line. */
const MOST_LINES = 25;

const LINE_LIMIT = 200;

const CONTROL_SEQUENCE = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[ -/]*[@-~]`, 'g');

const MOST_PROBLEMS = 10;
const PROBLEM = /^([^\s:]+(?::\d+)?): (.+)$/;

const BLAME: Readonly<Record<FailureKind, string>> = {
	usage: '',
	internal: 'This is a bug in benchgate, not in this change.',
	machine: 'This is not caused by base or head.',
	base: 'This change is not the cause. Base must build too, because head is compared with it.',
	head: '',
	other: '',
};

/** For errors without a remedy. The workflow to run again follows. */
const REMEDY: Readonly<Record<FailureKind, string>> = {
	usage: 'Fix this and push again.',
	internal: 'Please report this, with the log below.',
	machine: '',
	base: 'Fix the base branch, then ',
	head: 'Fix head and push again.',
	other: '',
};

/** Matches a remedy that is a command, with the path of the whole log. */
const REPEAT = /^repeat it by hand: (.*?)(?:; the whole log: (.*))?$/;

/** Returns a failure as Markdown: cause, event, effect on the check, next step, log. */
export function renderFailure(failure: Failure, context: CommentContext): string {
	const kind = failureKind(failure);
	const { gate, adopting = false, answersCommand = false, onInconclusive = 'neutral' } = context;
	const rules = { gate, onInconclusive, adopting, answersCommand };
	const { checkConclusion, failStep } = consequenceOf({ kind: 'failed', failure }, rules);
	const mark = failStep ? '❌' : kind === 'base' ? '🟡' : '⚠️';
	const log = renderLog(failure.details);
	const sections = [
		`### ${mark} ${titleOfFailure(failure)}, so nothing was measured`,
		BLAME[kind],
		renderProblems(failure),
		`**Check:** ${writeMarkdown(tellCheck(kind, checkConclusion, context))}`,
		renderRemedy(failure, kind, context),
		...(log === '' ? [] : ['The end of the log:', log]),
	];
	return sections.filter((section) => section !== '').join('\n\n');
}

function tellCheck(kind: FailureKind, check: Consequence['checkConclusion'], context: CommentContext): Phrase {
	if (context.adopting && check === 'neutral') return tellAdopting();
	const colour = COLOURS[check];
	if (kind === 'base') return [`${colour} (does not block merging), because head is not to blame.`];
	if (check === 'neutral') return phrase`${colour}. ${tellAdvisory(context)}`;
	return [`${colour}.`];
}

function renderProblems(failure: Failure): string {
	const { where } = failure;
	const [first = '', ...others] = causeOf(failure)
		.split('\n')
		.filter((line) => line.trim() !== '');
	if (others.length === 0) {
		const place = where ? phrase` (${{ code: plainText(where, NAME_LIMIT) }})` : [];
		return `**What happened:** ${writeMarkdown(phrase`${{ text: plainText(first, MESSAGE_LIMIT) }}${place}`)}`;
	}
	const problems = [first, ...others];
	const hiddenCount = problems.length - MOST_PROBLEMS;
	const lines = problems.slice(0, MOST_PROBLEMS).map((line) => `- ${writeMarkdown(describeProblem(line))}`);
	if (hiddenCount > 0) lines.push(`- and ${countOf(hiddenCount, 'more problem')}`);
	return `**What happened:** ${countOf(problems.length, 'problem')}\n\n${lines.join('\n')}`;
}

/** Begins with the place, because foreign text must not start a list line. */
function describeProblem(line: string): Phrase {
	const [, place = 'problem', words = line] = PROBLEM.exec(line.trim()) ?? [];
	return phrase`${{ code: plainText(place, NAME_LIMIT) }}: ${{ text: plainText(words, MESSAGE_LIMIT) }}`;
}

/** Puts a command into its own block, where it can be copied. */
function renderRemedy({ remedy: fullRemedy, code }: Failure, kind: FailureKind, { workflows }: CommentContext): string {
	const again = runAgain(workflows?.measuring, 'run this job again');
	const usual = REMEDY[kind].endsWith('.') ? [REMEDY[kind]] : capitalised(phrase`${REMEDY[kind]}${again}.`);
	const remedy = plainText(fullRemedy ?? '', COMMAND_LIMIT);
	const [, command = '', log = ''] = REPEAT.exec(remedy) ?? [];
	if (command !== '' && !remedy.endsWith('…')) {
		const todo = kind === 'head' && code === 'build-failed' ? ['Fix the build of head and push again.'] : usual;
		const whole = log === '' ? [] : phrase` The whole log: ${{ code: log }}.`;
		const text = phrase`${todo}${whole} To see the failure on your machine:`;
		return `**Next:** ${writeMarkdown(text)}\n\n${fence(command, 'sh')}`;
	}
	if (remedy === '' || command !== '') return `**Next:** ${writeMarkdown(usual)}`;
	const words = { text: plainText(remedy, MESSAGE_LIMIT) };
	const sentence = { text: words.text.charAt(0).toUpperCase() + words.text.slice(1) };
	if (kind === 'base') return `**Next:** ${writeMarkdown(phrase`Fix the base branch (${words}), then ${again}.`)}`;
	if (kind === 'internal') return `**Next:** ${REMEDY.internal}`;
	return `**Next:** ${writeMarkdown(phrase`${sentence}${/[.!?…]$/.test(remedy) ? '' : '.'}`)}`;
}

/** Returns a log's last lines as a code block that no content closes early. */
export function renderLog(log: string | null, language = 'text'): string {
	const lines = (log ?? '')
		.slice(-MOST_LINES * LINE_LIMIT * 10)
		.replace(CONTROL_SEQUENCE, '')
		.trimEnd()
		.split(/\r?\n/)
		.slice(-MOST_LINES)
		.map(plainLine);
	const text = lines.join('\n').replace(/^\n+/, '').trimEnd();
	return text === '' ? '' : fence(text, language);
}

/** Keeps the indentation and only visible characters. */
function plainLine(line: string): string {
	const [indent = ''] = /^[ \t]{0,40}/.exec(line) ?? [];
	return `${indent.replaceAll('\t', '  ')}${plainText(line, LINE_LIMIT)}`.trimEnd();
}
