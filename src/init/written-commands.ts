/** Reads start commands that a repository has outside of package scripts. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { splitWords } from './unwrap-command.ts';

export interface WrittenCommand {
	readonly from: string;
	readonly command: string;
}

const DOCKERFILES = ['Dockerfile', 'docker/Dockerfile', 'Dockerfile.prod', 'Containerfile'];
const SCRIPT_FOLDERS = ['', 'scripts', 'docker', 'bin'];
const STARTS =
	/^\s*(?:exec\s+)?(?:node|bun|deno|npm|yarn|pnpm|npx|tsx|python3?|gunicorn|uvicorn|hypercorn|flask|daphne|uv|poetry)\s/;

/** Returns the commands in order of preference: `web` of the Procfile, then the last stage of a Dockerfile. */
export async function findWritten(folder: string): Promise<readonly WrittenCommand[]> {
	const read = (file: string) => readFile(path.join(folder, file), 'utf8').catch(() => null);
	const written: WrittenCommand[] = [];
	const web = /^web:[ \t]*(\S.*)$/m.exec((await read('Procfile')) ?? '')?.[1];
	if (web !== undefined) written.push({ from: 'Procfile', command: web.trim() });
	for (const from of DOCKERFILES) {
		const command = startOf((await read(from)) ?? '');
		if (command !== null) written.push({ from, command: await throughScript(command, read) });
	}
	return written;
}

function startOf(dockerfile: string): string | null {
	const lines = dockerfile.replace(/^\s*#.*\n/gm, '').replace(/\\\r?\n/g, ' ');
	const stage = lines.split(/^\s*FROM\s/im).at(-1) ?? '';
	const last = (name: string) => [...stage.matchAll(new RegExp(`^\\s*${name}\\s+(\\S.*)$`, 'gim'))].at(-1)?.[1]?.trim();
	const [workdir = ''] = [last('WORKDIR')];
	const plain = (text: string | undefined) =>
		text === undefined
			? undefined
			: fromJson(text)?.replaceAll(`${workdir.replace(/\/$/, '')}/`, workdir === '' ? '/' : './');
	const [entry, command] = [plain(last('ENTRYPOINT')), plain(last('CMD'))];
	if (entry === undefined) return command ?? null;
	// An entry script ends in what CMD names.
	return command === undefined ? entry : /\.sh\b/.test(entry) ? command : `${entry} ${command}`;
}

function fromJson(text: string): string {
	try {
		const words: unknown = JSON.parse(text);
		if (!Array.isArray(words)) return text;
		const [shell, flag, line] = words as unknown[];
		if (/(?:^|\/)(?:ba|a|da)?sh$/.test(String(shell)) && flag === '-c') return String(line);
		return words.map((word) => (/^[\w@%+=:,./${}-]+$/.test(String(word)) ? word : JSON.stringify(word))).join(' ');
	} catch {
		return text;
	}
}

async function throughScript(command: string, read: (file: string) => Promise<string | null>): Promise<string> {
	const script = splitWords(command).find((word) => word.endsWith('.sh'));
	if (script === undefined) return command;
	for (const folder of SCRIPT_FOLDERS) {
		const text = await read(path.posix.join(folder, path.posix.basename(script)));
		const line = text
			?.replace(/\\\r?\n/g, ' ')
			.split('\n')
			.findLast((each) => STARTS.test(each));
		if (line !== undefined) return line.trim();
	}
	return command;
}
