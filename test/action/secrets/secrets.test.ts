import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findEnvironmentStart, findValues, scrubInitialEnvironment } from '../../../src/action/secrets.ts';

const HOST = fileURLToPath(new URL('secrets-host.ts', import.meta.url));
const SIGNALLED = fileURLToPath(new URL('secrets-signalled.ts', import.meta.url));
const linux = { skip: process.platform !== 'linux' && 'only Linux has /proc' };

const [token, runtimeToken, identityToken, npmToken] = ['ghs_', 'eyJ', 'eyK', 'npm_'].map(
	(lead) => lead + randomBytes(20).toString('hex'),
) as [string, string, string, string];
const header = Buffer.from(`x-access-token:${token}`).toString('base64');
const outputFile = `/tmp/_runner_file_commands/set_output_${randomBytes(16).toString('hex')}`;
/** Secrets in the order of the host's arguments. */
const SECRETS = [token, runtimeToken, identityToken, npmToken, header, outputFile];

const ENVIRONMENT = {
	PATH: process.env.PATH,
	HOME: process.env.HOME,
	GITHUB_ACTIONS: 'true',
	GITHUB_OUTPUT: outputFile,
	'INPUT_GITHUB-TOKEN': token,
	GITHUB_TOKEN: token,
	ACTIONS_RUNTIME_TOKEN: runtimeToken,
	ACTIONS_RESULTS_URL: 'https://results.example/',
	ACTIONS_ID_TOKEN_REQUEST_TOKEN: identityToken,
	NPM_TOKEN: npmToken,
	// Not named like a secret, but contains one.
	DEPLOY_URL: `https://x-access-token:${token}@example.com/`,
	GIT_CONFIG_COUNT: '1',
	GIT_CONFIG_KEY_0: 'http.https://example.com/.extraheader',
	GIT_CONFIG_VALUE_0: `AUTHORIZATION: basic ${header}`,
};

function play(mode: 'take' | 'keep') {
	const reversed = SECRETS.map((text) => [...text].reverse().join(''));
	const printed = execFileSync(process.execPath, [HOST, mode, ...reversed], { env: ENVIRONMENT, encoding: 'utf8' });
	return JSON.parse(printed);
}

test('while they are not taken, the code under test finds every secret in the environment of the action', linux, () => {
	const { pid, seen } = play('keep');
	assert.equal(seen.parent, pid);
	assert.deepEqual(
		seen.found,
		SECRETS.map((_, index) => [pid, 'environ', index]),
	);
	assert.deepEqual(
		seen.own,
		SECRETS.map(() => false),
	);
});

test('once they are taken, no process shows them, and no child inherits them', linux, () => {
	const { seen, inherited, warnings, output, path } = play('take');
	assert.deepEqual(warnings, []);
	assert.deepEqual(seen.found, []);
	const inheritedSecrets = SECRETS.filter((_, index) => inherited.own[index]);
	// Children with the whole environment get the path of the output file; code under test gets a scrubbed one.
	assert.deepEqual(inheritedSecrets, [outputFile]);
	assert.equal(output, outputFile);
	assert.equal(path, process.env.PATH);
});

test('the runner’s own services get their variables back for as long as they need them', linux, () => {
	const { runtime, meanwhile, afterwards } = play('take');
	const variables = ['ACTIONS_RESULTS_URL', 'ACTIONS_RUNTIME_TOKEN'];
	assert.deepEqual(runtime, variables);
	assert.deepEqual(
		meanwhile.filter((name: string) => name.startsWith('ACTIONS_')),
		variables,
	);
	assert.deepEqual(afterwards, ['GITHUB_ACTIONS', 'GITHUB_OUTPUT', 'HOME', 'PATH']);
});

for (const [mode, opens] of [
	['keep', true],
	['take', false],
] as const) {
	test(`a signal ${opens ? 'opens' : 'does not open'} the debugger (${mode})`, {
		skip: process.platform === 'win32',
	}, () => {
		const printed = execFileSync(process.execPath, ['--inspect-port=0', SIGNALLED, mode], {
			encoding: 'utf8',
			stdio: 'pipe',
		});
		assert.equal(JSON.parse(printed).debugger, opens);
	});
}

test('values are found in the block of the environment, whatever they look like', () => {
	const block = Buffer.from('A=1\0TOKEN=x=y\0EMPTY=\0odd\0=C:=x\0TOKENS=zü\0TOKEN=');
	const spans = findValues(block, (name) => name.startsWith('TOKEN') || name === 'EMPTY');
	assert.deepEqual(
		spans.map(({ start, end }) => block.toString('utf8', start, end)),
		['x=y', '', 'zü', ''],
	);
	assert.deepEqual(
		findValues(Buffer.alloc(0), () => true),
		[],
	);
});

test('the environment is found although a program’s name may look like fields', () => {
	const fields = (start: string) =>
		Array.from({ length: 50 }, (_, index) => (index + 3 === 50 ? start : '7')).join(' ');
	assert.equal(findEnvironmentStart(`12 (a) b (c d) ${fields('140721069726424')}\n`), 140721069726424);
	assert.throws(() => findEnvironmentStart(`12 (node) ${fields('0')}\n`), /does not say where/);
	assert.throws(() => findEnvironmentStart('12 (node) S 1 2'), /does not say where/);
});

/** Files in place of the kernel's, with the environment 100 bytes into the memory. */
function makeProc(t: TestContext, environment: string, memory: string) {
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-proc-'));
	t.after(() => rmSync(folder, { recursive: true }));
	writeFileSync(join(folder, 'environ'), environment);
	writeFileSync(join(folder, 'stat'), `1 (node) ${Array(47).fill('0').join(' ')} 100 0`);
	writeFileSync(join(folder, 'mem'), `${'.'.repeat(100)}${memory}`);
	return { folder, memory: () => readFileSync(join(folder, 'mem'), 'latin1').slice(100) };
}

const isToken = (name: string) => name === 'TOKEN';

test('only the values are overwritten, with a warning if that had no effect', linux, (t) => {
	const { folder, memory } = makeProc(t, 'A=1\0TOKEN=secret\0B=2\0', 'A=1\0TOKEN=secret\0B=2\0rest');
	const warning = scrubInitialEnvironment(isToken, folder);
	assert.equal(memory(), 'A=1\0TOKEN=******\0B=2\0rest');
	assert.equal(warning?.code, 'environment-readable');
	assert.match(warning.message, /overwriting them had no effect/);
});

test('nothing is overwritten if the environment is elsewhere', linux, (t) => {
	const { folder, memory } = makeProc(t, 'TOKEN=secret\0', 'SOMETHING ELSE');
	const warning = scrubInitialEnvironment(isToken, folder);
	assert.equal(memory(), 'SOMETHING ELSE');
	assert.match(warning?.message ?? '', /not where the kernel says/);
});

test('without secrets nothing is touched, and a kernel that hides the addresses is a warning', linux, (t) => {
	const { folder } = makeProc(t, 'A=1\0', '');
	assert.equal(scrubInitialEnvironment(isToken, folder), null);
	assert.equal(scrubInitialEnvironment(isToken, join(folder, 'missing'))?.code, 'environment-readable');
});
