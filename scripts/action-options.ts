/**
 * Declarations of the action's options (inputs) and report files (outputs), for action.yml and the reusable workflows.
 */
import { DECIDING } from '../src/action/request/inputs.ts';
import { INPUT_OPTIONS, inputOf, optionOf } from '../src/config/option-names.ts';
import type { CommandName, OptionUse } from '../src/config/options.ts';
import { FORMAT_NAMES, FORMATS } from '../src/report/formats.ts';
import { wrapText } from '../src/text/wrap.ts';

/** The reusable workflow installs it from its input `node-version`. */
const NOT_PASSED = 'node';
const WIDTH = 120;
const MARKED = /^( *)# options: (.*)\n[\s\S]*?^ *# \/options$/gm;
/** Default of the reporting job. */
const MEASURING = 'the value of the base branch';
const NAMES = INPUT_OPTIONS.map(([name]) => name);
const passedTo = (command: CommandName) =>
	NAMES.filter((name) => inputOf(name) !== NOT_PASSED && optionOf(name).uses[command] !== undefined);
const [PASSED, BASELINE] = [passedTo('compare'), passedTo('baseline')];

/** For each file the blocks between its markers, in order; each takes its indentation. */
const BLOCKS: Readonly<Record<string, readonly ((indent: string) => readonly string[])[]>> = {
	'action.yml': [
		(indent) => NAMES.flatMap((name) => declare(name, 'default: ""', indent)),
		(indent) =>
			FORMAT_NAMES.flatMap((name) => {
				const { output, about } = FORMATS[name];
				return output === null ? [] : [`${indent}${output}:`, `${indent}  description: ${about}`];
			}),
	],
	'.github/workflows/benchmark.yml': [
		(indent) => PASSED.flatMap((name) => declare(name, 'type: string', indent)),
		// One job measures everything, another divides the work.
		(indent) => PASSED.map((name) => passOn(name, indent)),
		(indent) => PASSED.map((name) => passOn(name, indent)),
	],
	'.github/workflows/baseline.yml': [
		(indent) => BASELINE.flatMap((name) => declare(name, 'type: string', indent)),
		(indent) => BASELINE.map((name) => passOn(name, indent)),
	],
	'.github/workflows/report.yml': [
		(indent) => DECIDING.flatMap((name) => declare(name, 'type: string', indent, MEASURING)),
		(indent) => DECIDING.map((name) => passOn(name, indent)),
	],
};

export const OPTION_FILES = Object.keys(BLOCKS);

/** Returns the text of a file with every marked block written anew from the table of options. */
export function withOptions(file: string, text: string): string {
	const blocks = [...(BLOCKS[file] ?? [])];
	const fresh = text.replace(MARKED, (whole, indent: string, note: string) => {
		const block = blocks.shift();
		if (block === undefined) return whole;
		return [`${indent}# options: ${note}`, ...block(indent), `${indent}# /options`].join('\n');
	});
	if (blocks.length > 0) throw new Error(`${file} lacks markers: # options: … and # /options`);
	return fresh;
}

function passOn(name: (typeof NAMES)[number], indent: string): string {
	return `${indent}${inputOf(name)}: \${{ inputs.${inputOf(name)} }}`;
}

function declare(
	name: (typeof NAMES)[number],
	more: string,
	indent: string,
	empty = emptyMeans(name),
): readonly string[] {
	const inner = `${indent}  `;
	const description = `${optionOf(name).input?.description} Empty means ${empty}.`;
	const lines = wrapText(description, WIDTH, inner.length + 2);
	return [`${indent}${inputOf(name)}:`, `${inner}description: >-`, ...lines, `${inner}${more}`];
}

function emptyMeans(name: (typeof NAMES)[number]): string {
	const { input, file, uses } = optionOf(name);
	if (input?.empty !== undefined) return input.empty;
	const [usual, tested] = [words(uses.compare ?? uses.baseline), words(uses.selftest)];
	const selftest = tested === undefined || tested === usual ? '' : `; in a selftest, ${tested}`;
	return `${file === undefined ? '' : 'the value in the config, else '}${usual}${selftest}`;
}

function words(use: OptionUse | undefined): string | undefined {
	return use?.default === undefined ? use?.otherwise : `\`${use.default}\``;
}
