import { MARGINS, prepareComment, word } from './config-parts.ts';
import type { FoundPackage } from './find-packages.ts';
import { nameOf, recordOf } from './find-service.ts';

const NOTE =
	'This package is loaded by others, and no built-in server loads it. It needs a bench server, a small program that does: the lines for one are comments; see docs/servers.md.';

/**
 * Returns the config for a package that others load and that no built-in server uses: the lines for a bench server, as
 * comments, because the program is still to be written.
 */
export function benchConfig(
	{ folder, json }: FoundPackage,
	manager: string,
): {
	readonly text: string;
	readonly notes: readonly string[];
} {
	const name = JSON.stringify(nameOf(json)).slice(1, -1);
	const up = folder === '.' ? '..' : `../${folder}`;
	const program = programOf(json.bin);
	const subject = folder === '.' ? '' : `\n# Folder of the package.\nsubject: ${word(folder)}\n`;
	const text = `# Does a change make servers that use ${name} slower?
${subject}
${prepareComment(manager)}
# A bench server is a small program that loads the package and serves HTTP on HOST and PORT. Write one, for example in
# bench/server.mjs, which can load the package by path: import ... from ${JSON.stringify(`${up}/...`)}
# Both sides run the same one: in pull requests that of the base branch.
# harness: [bench]
# servers:
#   - name: bench
#     command: node server.mjs
#     cwd: bench

# One request with its right answer. Wrong answers are never counted as fast.
# scenarios:
#   - name: home
#     request: { path: / }
#     expect: { status: 200 }
${program === null ? '' : `\n# Or measure the program of the package, if it serves HTTP on HOST and PORT. It needs no bench server:\n# servers: [{ name: program, command: "node ${program}"${folder === '.' ? '' : `, cwd: ${word(folder)}`} }]\n`}`;
	const notes =
		program === null
			? [NOTE]
			: [NOTE, `If its program (${program}) is what should be fast, start that: the line for it is a comment, too.`];
	return { text: text + MARGINS, notes };
}

/** The first program a package installs, null without one or with a path that is not plain. */
function programOf(bin: unknown): string | null {
	const path = typeof bin === 'string' ? bin : Object.values(recordOf(bin))[0];
	return typeof path === 'string' && /^[\w./-]+$/.test(path) ? path.replace(/^\.\//, '') : null;
}
