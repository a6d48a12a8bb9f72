/** Reads the data files that a config names. */
import { execFile } from 'node:child_process';
import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { QUESTION_MS } from '../process/deadline.ts';
import { type DataText, type DataTexts, dataPathsIn, LARGEST_DATA, LARGEST_DATA_FORM } from './file/check-data.ts';
import { placeOf } from './load-committed.ts';

/** Limits per config. The characters are those of all files together. */
const MOST_FILES = 20;
const MOST_CHARACTERS = 2 * LARGEST_DATA;

const TOO_LARGE = { refusal: `is larger than ${LARGEST_DATA_FORM}; remove rows that are not needed` };
const NOT_PLAIN = { refusal: 'is not a plain file; put the file itself there, not a link or a folder' };
const MISSING = { refusal: 'does not exist; its path is relative to the folder of the config' };
const ONE_TOO_MANY = { refusal: `is one too many; at most ${MOST_FILES} files of together 20 MB are read` };

/** Runs git in the folder to which paths are relative. */
export type RunGit = (args: readonly string[]) => Promise<string>;

/**
 * Returns data files from the config's folder, or from the commit of `git:REF:PATH`. Does not follow links. Unreadable
 * files become refusals, not errors.
 */
export async function loadData(cwd: string, name: string, text: string): Promise<DataTexts> {
	const place = placeOf(name);
	if (place === undefined) {
		const folder = path.dirname(path.resolve(cwd, name));
		return readEach(dataPathsIn(text, name), (file) => readBeside(folder, file));
	}
	const git: RunGit = async (args) => {
		const limits = { maxBuffer: 2 * LARGEST_DATA, timeout: QUESTION_MS };
		const { stdout } = await promisify(execFile)('git', args, { cwd, ...limits });
		return stdout;
	};
	return loadCommittedData(git, place, text);
}

/** Returns data files of a committed config. Does not follow links. */
export async function loadCommittedData(
	git: RunGit,
	{ ref, path: config }: { readonly ref: string; readonly path: string },
	text: string,
): Promise<DataTexts> {
	return readEach(dataPathsIn(text, config), async (file) => {
		const place = path.posix.join(path.posix.dirname(config), file);
		const listed = await git(['ls-tree', '-l', '-z', ref, '--', place]);
		const [, mode = '', hash = '', bytes] = /^(\d+) \w+ ([0-9a-f]+) +(\S+)\t/.exec(listed) ?? [];
		if (hash === '') return MISSING;
		if (!mode.startsWith('100')) return NOT_PLAIN;
		if (Number(bytes) > LARGEST_DATA) return TOO_LARGE;
		return decoded(await git(['cat-file', 'blob', hash]));
	});
}

async function readEach(files: readonly string[], read: (file: string) => Promise<DataText>): Promise<DataTexts> {
	const texts: Record<string, DataText> = {};
	let remainingCharacters = MOST_CHARACTERS;
	for (const [index, file] of files.entries()) {
		const dataText = index < MOST_FILES ? await read(file) : ONE_TOO_MANY;
		remainingCharacters -= 'text' in dataText ? dataText.text.length : 0;
		texts[file] = remainingCharacters < 0 ? ONE_TOO_MANY : dataText;
	}
	return texts;
}

async function readBeside(folder: string, file: string): Promise<DataText> {
	const parts = file.split('/');
	try {
		// A link anywhere below the config's folder could lead out of the repository.
		for (const [index] of parts.slice(1).entries()) {
			const stats = await lstat(path.join(folder, ...parts.slice(0, index + 1)));
			if (!stats.isDirectory()) return NOT_PLAIN;
		}
		const place = path.join(folder, ...parts);
		const stats = await lstat(place);
		if (!stats.isFile()) return NOT_PLAIN;
		return stats.size > LARGEST_DATA ? TOO_LARGE : decoded(await readFile(place, 'utf8'));
	} catch (error) {
		const { code = '' } = error as NodeJS.ErrnoException;
		return ['ENOENT', 'ENOTDIR'].includes(code) ? MISSING : { refusal: `cannot be read (${code})` };
	}
}

/** Decoding replaced invalid bytes with U+FFFD. */
function decoded(text: string): DataText {
	return text.includes('\uFFFD') ? { refusal: 'is not UTF-8; save it as UTF-8' } : { text };
}
