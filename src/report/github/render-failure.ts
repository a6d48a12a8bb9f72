import { consequenceOf, type FailureKind, failureKind } from '../../judge/consequence.ts';
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf } from '../../text/numbers.ts';
import { type Phrase, phrase } from '../../text/phrase.ts';
import type { Failure } from '../../types/action-run.ts';
import { writeMarkdown } from '../compare/markdown.ts';
import type { CommentContext } from './comment-context.ts';
import { titleOfFailure } from './conclusion-title.ts';
import { renderLog } from './failure-log.ts';

/** Problems a comment lists before the rest becomes a number. */
const MOST_PROBLEMS = 10;
/** `benchgate.yml:7: …` or `--threshold: …`. */
const PROBLEM = /^([^\s:]+(?::\d+)?): (.+)$/;

/** What the reader must know first: where the cause is. */
const BLAME: Readonly<Record<FailureKind, string>> = {
	usage: '',
	internal: 'This is a bug in benchgate, not in this change.',
	machine: 'This is not caused by base or head.',
	base: 'This change is not the cause: head can be compared only with a base that builds.',
	head: '',
	other: '',
};

/** What to do when the error itself does not say. */
const REMEDY: Readonly<Record<FailureKind, string>> = {
	usage: 'Fix this and push again.',
	internal: 'Please report it with the lines below.',
	machine: 'Run this job again.',
	base: 'Fix the base branch, then run this job again.',
	head: 'Fix the build of head and push again.',
	other: 'Run this job again.',
};

const ADVISORY: Phrase = ['Nothing is blocked (', { code: 'gate: advisory' }, ').'];

/** Returns the Markdown of a failure: who is to blame, what happened, what to do, what it means for the check, the log. */
export function renderFailure(failure: Failure, context: CommentContext): string {
	const kind = failureKind(failure);
	const { gate, onInconclusive = 'neutral' } = context;
	const { failStep } = consequenceOf({ kind: 'failed', failure }, { gate, onInconclusive });
	const mark = failStep ? '❌' : kind === 'base' ? '🟡' : '⚠️';
	const sections = [
		`### ${mark} ${titleOfFailure(failure)}, so nothing was measured`,
		[BLAME[kind], writeMarkdown(tellCheck(kind, failStep, context))].filter((part) => part !== '').join(' '),
		renderProblems(failure),
		`**What to do:** ${writeMarkdown(remedyOf(failure, kind))}`,
		renderLog(failure.details),
	];
	return sections.filter((section) => section !== '').join('\n\n');
}

function tellCheck(kind: FailureKind, failStep: boolean, { gate, onInconclusive }: CommentContext): Phrase {
	if (kind === 'base' && onInconclusive === undefined) return ['The run counts as inconclusive.'];
	if (kind === 'base' && !(onInconclusive === 'fail' && gate === 'advisory')) {
		const means = { pass: 'still passes', neutral: 'is neutral and blocks nothing', fail: 'fails' };
		return phrase`The check ${means[onInconclusive ?? 'neutral']} (${{ code: `on-inconclusive: ${onInconclusive}` }}).`;
	}
	if (kind === 'usage' || kind === 'head') return failStep ? [] : ADVISORY;
	return failStep ? ['The check fails, because nothing is known.'] : ADVISORY;
}

function renderProblems({ message, where }: Failure): string {
	const [first = '', ...others] = message.split('\n').filter((line) => line.trim() !== '');
	if (others.length === 0) {
		const place = where ? phrase` (${{ code: plainText(where, NAME_LIMIT) }})` : [];
		return `**What happened:** ${writeMarkdown(phrase`${{ text: plainText(first, MESSAGE_LIMIT) }}${place}`)}`;
	}
	const problems = [first, ...others];
	const left = problems.length - MOST_PROBLEMS;
	const lines = problems.slice(0, MOST_PROBLEMS).map((line) => `- ${writeMarkdown(describeProblem(line))}`);
	if (left > 0) lines.push(`- and ${countOf(left, 'more problem')}`);
	return `**What happened:** ${countOf(problems.length, 'problem')}\n\n${lines.join('\n')}`;
}

/** A place in code style, so that no line of a list begins with foreign prose. */
function describeProblem(line: string): Phrase {
	const [, place = 'problem', words = line] = PROBLEM.exec(line.trim()) ?? [];
	return phrase`${{ code: plainText(place, NAME_LIMIT) }}: ${{ text: plainText(words, MESSAGE_LIMIT) }}`;
}

function remedyOf(failure: Failure, kind: FailureKind): Phrase {
	const remedy = plainText(failure.remedy ?? '', MESSAGE_LIMIT);
	if (remedy === '') return [REMEDY[kind]];
	if (kind === 'head' && failure.code === 'build-failed') {
		return phrase`Fix the build of head and push again (${{ text: remedy }}).`;
	}
	if (kind === 'base') return phrase`Fix the base branch (${{ text: remedy }}), then run this job again.`;
	return [{ text: remedy }];
}
