/** Tutorials followed literally: their files are written, their commands run, and the output matches the page. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { assertNoProcess, CLI, makePlayground } from '../../support/cli.ts';
import { stepsOf } from '../../support/pages/tutorial-steps.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Pages of commands; others have their own tests. */
const PAGES = ['docs/tutorials/framework.md', 'docs/tutorials/monorepo.md', 'docs/tutorials/other-language.md'];
/** Far longer than any tutorial takes, so a hanging one ends. */
const LONGEST_MS = 900_000;

/**
 * The program behind `npx benchgate`. A few lines of a language gain little from a warm-up of thousands of requests,
 * and the changes of the pages are large.
 */
const NPX = `#!/bin/sh
[ "$1" = benchgate ] && shift || exit 1
[ "$1" != compare ] || set -- "$@" --warmup 500ms --explain never
exec "${process.execPath}" "${CLI}" "$@"
`;

/** Runs a block as a user would paste it, and returns its output; fails when a command fails. */
function paste(commands: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
	return new Promise((resolve, reject) => {
		execFile(
			'bash',
			['-euo', 'pipefail', '-c', commands],
			{ cwd, env, timeout: LONGEST_MS },
			(error, stdout, stderr) => {
				if (error === null) resolve(stdout);
				else reject(new Error(`${commands}\n${stdout}\n${stderr}`, { cause: error }));
			},
		);
	});
}

async function follow(t: TestContext, text: string): Promise<void> {
	const playground = makePlayground(t);
	const tools = join(playground.root, 'tools');
	mkdirSync(tools);
	writeFileSync(join(tools, 'npx'), NPX);
	chmodSync(join(tools, 'npx'), 0o755);
	const env = {
		...process.env,
		PATH: `${tools}${delimiter}${process.env.PATH}`,
		BENCHGATE_CACHE: join(playground.root, 'cache'),
		...Object.fromEntries(
			['AUTHOR', 'COMMITTER'].flatMap((who) => [
				[`GIT_${who}_NAME`, 't'],
				[`GIT_${who}_EMAIL`, 't@example.invalid'],
			]),
		),
	};
	let printed = '';
	for (const step of stepsOf(text)) {
		if (step.kind === 'write') playground.write({ [step.file]: step.text });
		if (step.kind === 'run') printed = await paste(step.text, playground.folder, env);
		if (step.kind === 'shown') {
			const words = printed.replace(/\s+/g, ' ');
			for (const line of step.text.split('\n'))
				assert.ok(words.includes(line.replace(/\s+/g, ' ')), `${line}\n${printed}`);
		}
	}
	await assertNoProcess(playground);
}

for (const page of PAGES) {
	const text = readFileSync(join(ROOT, page), 'utf8');
	// Parts of a page that contain commands are followed, each in its own folder.
	const parts = page.endsWith('other-language.md')
		? text.split(/^(?=## )/m).filter((part) => part.includes('```sh'))
		: [text];
	for (const part of parts) {
		const title = /^#+ (.*)/.exec(part)?.[1] ?? basename(dirname(page));
		test(`${page}: ${title}`, (t) => follow(t, part));
	}
}
