/**
 * Plays the action in secrets.test.ts: takes its secrets (or, with `keep`, does not), then starts a stand-in for the
 * code under test, which searches every readable place for them. Prints the matches as JSON. argv: take | keep, the
 * secrets reversed.
 */
import { execFileSync } from 'node:child_process';
import { takeSecrets, withRuntimeVariables } from '../../../src/action/secrets.ts';
import { scrubEnvironment } from '../../../src/process/environment.ts';

const [, , mode, ...reversed] = process.argv;

/** The secrets are reversed, so that command lines do not contain them. */
const SNOOP = `
const { readdirSync, readFileSync } = require('node:fs');
const secrets = process.argv.slice(1).map((text) => [...text].reverse().join(''));
const found = [];
for (const pid of readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))) {
	for (const name of ['environ', 'cmdline']) {
		let text = '';
		try { text = readFileSync('/proc/' + pid + '/' + name, 'latin1'); } catch {}
		for (const [index, secret] of secrets.entries()) if (text.includes(secret)) found.push([Number(pid), name, index]);
	}
}
const own = secrets.map((secret) => Object.values(process.env).some((value) => value.includes(secret)));
console.log(JSON.stringify({ parent: process.ppid, found, own }));
`;

function snoop(env: NodeJS.ProcessEnv) {
	return JSON.parse(execFileSync(process.execPath, ['-e', SNOOP, ...reversed], { env, encoding: 'utf8' })) as {
		parent: number;
		found: [number, string, number][];
		own: boolean[];
	};
}

const taken = mode === 'take' ? takeSecrets() : { runtime: {}, warnings: [] };
const seen = snoop(scrubEnvironment(process.env, 'serve'));
const inherited = snoop({ ...process.env });
const meanwhile = await withRuntimeVariables(taken.runtime, async () => ({ ...process.env }));
console.log(
	JSON.stringify({
		pid: process.pid,
		seen,
		inherited,
		warnings: taken.warnings,
		runtime: Object.keys(taken.runtime).sort(),
		meanwhile: Object.keys(meanwhile).sort(),
		afterwards: Object.keys(process.env).sort(),
		output: process.env.GITHUB_OUTPUT,
		path: process.env.PATH,
	}),
);
