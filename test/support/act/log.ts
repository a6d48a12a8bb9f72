/** Parses act's --json output, one object a line. */

export interface ActLog {
	/** Human-readable. */
	readonly text: string;
	/** Step id → outputs. */
	readonly outputs: Readonly<Record<string, Readonly<Record<string, string>>>>;
	/** Of every step, in order. */
	readonly summary: string;
	/** `::error`, `::warning` and `::notice` commands. */
	readonly messages: readonly Message[];
	/** Every main and post step with its result. Empty if `if` skipped every job. */
	readonly steps: readonly StepResult[];
}

export interface Message {
	readonly level: 'error' | 'warning' | 'notice';
	readonly title: string | null;
	readonly text: string;
}

export interface StepResult {
	readonly id: string;
	readonly stage: 'Pre' | 'Main' | 'Post';
	readonly result: 'success' | 'failure';
}

interface Line {
	readonly msg: string;
	readonly command?: string;
	readonly name?: string;
	readonly arg?: string;
	readonly content?: string;
	readonly kvPairs?: Readonly<Record<string, string>> | null;
	readonly stepID?: readonly string[];
	readonly stage?: StepResult['stage'];
	readonly stepResult?: StepResult['result'];
}

const LEVELS: readonly string[] = ['error', 'warning', 'notice'];

/** Parses `output`; lines that are not JSON (act's own errors) are kept as text. */
export function readActLog(output: string): ActLog {
	const lines = output.split('\n').filter(Boolean).map(readLine);
	const outputs: Record<string, Record<string, string>> = {};
	const summaries: string[] = [];
	const messages: Message[] = [];
	const steps: StepResult[] = [];
	for (const { command, name, arg, content, kvPairs, stepID, stage, stepResult } of lines) {
		const id = stepID?.at(-1) ?? '';
		if (command === 'set-output') outputs[id] = { ...outputs[id], [name ?? '']: arg ?? '' };
		if (command === 'summary') summaries.push(content ?? '');
		if (command !== undefined && LEVELS.includes(command)) {
			messages.push({ level: command as Message['level'], title: kvPairs?.title ?? null, text: arg ?? '' });
		}
		if (stage !== undefined && stepResult !== undefined) steps.push({ id, stage, result: stepResult });
	}
	const text = lines.map(({ msg }) => msg.trimEnd()).join('\n');
	return { text, outputs, summary: summaries.join('\n'), messages, steps };
}

function readLine(text: string): Line {
	try {
		return JSON.parse(text) as Line;
	} catch {
		return { msg: text };
	}
}
