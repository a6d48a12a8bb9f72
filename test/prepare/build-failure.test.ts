import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
	explainSystemError,
	failureOf,
	findTrouble,
	quoteNetworkTrouble,
	tailOf,
} from '../../src/prepare/build/build-failure.ts';
import { nameOrigin } from '../../src/prepare/prepare-context.ts';
import { classifyRefusal } from '../../src/prepare/revision/registry.ts';
import { isUserError, UserError } from '../../src/types/errors.ts';
import { makeFolder, openSetting, tinyFramework, tinyTool, userError } from './support.ts';

test('messages name a side as typed, except for a full hash', () => {
	const source = { kind: 'git', repository: '/r', sha: 'a'.repeat(40), content: 'tree', label: 'aaaaaaa' } as const;
	assert.equal(nameOrigin({ side: 'head', source: { ...source, revision: 'git:main' } }), 'head (git:main)');
	assert.equal(nameOrigin({ side: 'base', source: { ...source, revision: `git:${source.sha}` } }), 'base (aaaaaaa)');
});

test('network and disk errors are distinguished from failures of the code', () => {
	assert.equal(findTrouble('npm error code ENOTFOUND\nnpm error errno ENOTFOUND'), 'network');
	assert.equal(findTrouble('npm error code SELF_SIGNED_CERT_IN_CHAIN'), 'network');
	assert.equal(findTrouble('npm error code UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'network');
	assert.equal(findTrouble('npm ERR! code EAI_AGAIN'), 'network');
	assert.equal(findTrouble(' ERR_PNPM_META_FETCH_FAIL  GET http://x: connect ECONNREFUSED'), 'network');
	assert.equal(findTrouble('➤ YN0001: │ RequestError: connect ECONNREFUSED 127.0.0.1:9'), 'network');
	assert.equal(findTrouble('info There appears to be trouble with your network connection. Retrying...'), 'network');
	for (const line of [
		'main.go:2:8: x@v1.6.0: Get "https://proxy.example/x/@v/v1.6.0.zip": dial tcp: lookup proxy.example on 10.0.0.1:53',
		'warning: spurious network error (1 try remaining): [6] Could not resolve hostname (Could not resolve host: a.b)',
		"WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('<x>: Failed to establish': /simple/x/",
		'  - All attempts to connect to registry.example failed.',
		'error: error sending request for url (https://registry.example/x): dns error',
		'[ERROR] Could not transfer artifact a:b:pom:1 from/to central (https://registry.example): Unknown host',
	]) {
		assert.equal(findTrouble(`first\n${line}\n`), 'network', line);
	}
	assert.equal(findTrouble('FAIL: dial tcp 127.0.0.1:5432: connection refused'), null);
	assert.equal(findTrouble('npm error code ENOSPC'), 'disk-full');
	assert.equal(findTrouble('cp: error writing: No space left on device'), 'disk-full');
	assert.equal(findTrouble('AssertionError: expected ECONNREFUSED to be thrown'), null);
	assert.equal(findTrouble('npm error code E404'), null);
});

test('refusals of npm by their code', () => {
	assert.equal(classifyRefusal('npm error code E404'), 'no-package');
	assert.equal(classifyRefusal('npm ERR! code ETARGET'), 'no-version');
	assert.equal(classifyRefusal('npm error code ETIMEDOUT'), 'network');
	assert.equal(classifyRefusal('npm error code EWHATEVER'), 'other');
});

test('a host from which a dependency is cloned is named, even if the package manager crashes after it', () => {
	const source = { kind: 'git', repository: '/r', sha: 'a'.repeat(40), content: 'tree', label: 'aaaaaaa' } as const;
	const origin = { side: 'base', source: { ...source, revision: 'git:main' } } as const;
	const line =
		"➤ YN0001: │   Fatal Error: unable to access 'https://git.example/a/b.git/': Could not resolve host: git.example";
	const output = `${line}\n${'at f (yarn.cjs:1:1)\n'.repeat(30)}`;
	const { message, details } = failureOf({ origin, what: 'yarn install', ending: 'exit code 1', output, repeat: 'x' });
	assert.equal(message, 'no network: yarn install could not reach git.example');
	assert.ok(details?.startsWith(`${line}\n…\n`), details);
});

test('the suggested command fetches the package manager like the failed one', () => {
	const source = { kind: 'git', repository: '/r', sha: 'a'.repeat(40), content: 'tree', label: 'aaaaaaa' } as const;
	const origin = { side: 'base', source: { ...source, revision: 'git:main' } } as const;
	const output = '➤ YN0035: │ typedriver@npm:0.8.6: Package not found\n';
	for (const [what, line] of [
		[
			'npx --package=@yarnpkg/cli-dist@4.12.0 yarn install --immutable',
			'npx --package=@yarnpkg/cli-dist@4.12.0 yarn install --no-immutable',
		],
		['yarn install --immutable', 'yarn install --no-immutable'],
	] as const) {
		const { remedy } = failureOf({ origin, what, ending: 'exit code 1', output, repeat: 'x' });
		assert.ok(remedy?.includes(`"prepare: rm yarn.lock && ${line} && `), remedy);
	}
});

test('a program that the shell did not find is named with a remedy, unless the build ended for another reason', () => {
	const source = { kind: 'dir', revision: 'dir:.', label: '.', content: 'x', folder: '.', files: [] } as const;
	const origin = { side: 'head', source } as const;
	const failure = { origin, what: 'npm run build', repeat: 'x' };
	const failed = (output: string, ending = 'exit code 127') => failureOf({ ...failure, ending, output });
	for (const line of [
		'sh: 1: tsup: not found',
		'/bin/sh: line 1: tsup: command not found',
		'/bin/sh: tsup: not found',
	]) {
		const { message, remedy } = failed(`sh: 1: husky: not found\n> build\n${line}\nnpm error code 127\n`);
		assert.equal(message, `npm run build failed with exit code 127: ${line}`);
		assert.match(remedy ?? '', /^put tsup on the PATH of benchgate, or install the package that brings it first/);
	}
	assert.match(failed('/bin/sh: 1: corepack: not found').remedy ?? '', /^this Node brings no corepack: leave it out/);
	const long = 'sh: 1: husky: not found\n> build\n> node build.js\nTypeError: x\n';
	assert.match(failed(long, 'exit code 1').remedy ?? '', /^repeat it by hand: /);
	const pnpm = failed('> tsup\n\nsh: 1: tsup: not found\n ELIFECYCLE  Command failed.\n', 'exit code 1');
	assert.match(pnpm.remedy ?? '', /^put tsup on the PATH of benchgate/);
});

test('a build names the first error of its compiler, and quotes no help of npm', () => {
	const source = { kind: 'dir', revision: 'dir:.', label: '.', content: 'x', folder: '.', files: [] } as const;
	const failure = {
		origin: { side: 'head', source } as const,
		what: 'npm run build',
		ending: 'exit code 2',
		repeat: 'x',
	};
	const tsc = "src/a.ts(1,7): error TS2322: Type 'string' is not assignable.\n  Types of property 'b'.\n";
	const compiled = failureOf({
		...failure,
		output: `\u001b[31m> tsc\u001b[0m\n${tsc}src/b.ts(1,7): error TS2304: c\n`,
	});
	assert.equal(
		compiled.message,
		"npm run build failed with exit code 2: src/a.ts(1,7): error TS2322: Type 'string' is not assignable.",
	);
	assert.match(failureOf({ ...failure, output: 'error[E0433]: failed to resolve' }).message, /2: error\[E0433\]: /);
	const help =
		'npm error Missing: bytes@3.1.2 from lock file\nnpm error\nnpm error Clean install a project\nnpm error Usage:\n';
	assert.equal(tailOf(help), 'npm error Missing: bytes@3.1.2 from lock file\nnpm error');
});

test('the tail has the last lines without colours', () => {
	const output = `${Array.from({ length: 30 }, (_, line) => `\u001b[31mline ${line}\u001b[0m`).join('\n')}\n\n`;
	const tail = tailOf(output).split('\n');
	assert.equal(tail.length, 20);
	assert.equal(tail.at(-1), 'line 29');
});

test('the quote about an unreachable network has the line with the error code', () => {
	const log = [
		'npm warn old lockfile',
		'npm error code ECONNREFUSED',
		'npm error errno ECONNREFUSED',
		...Array.from({ length: 30 }, (_, line) => `npm error network If you are behind a proxy, line ${line}`),
	].join('\n');
	const quoted = quoteNetworkTrouble(log, 7).split('\n');
	assert.deepEqual(quoted.slice(0, 2), ['npm error code ECONNREFUSED', '…']);
	assert.equal(quoted.length, 7);
	assert.match(quoted.at(-1) ?? '', /line 29$/);
	const short = 'npm error code ECONNREFUSED\nnpm error network proxy';
	assert.equal(quoteNetworkTrouble(short, 7), short);
	assert.equal(quoteNetworkTrouble('', 7), '');
});

test('errors of the file system that the user can fix are explained', async (t) => {
	const full = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
	const explained = explainSystemError(full, '/cache');
	assert.ok(isUserError(explained) && explained.code === 'disk-full' && explained.exitCode === 3);
	const git = { code: 'checkout-failed', where: 'base (1a2b3c4)', message: 'git could not check out 1a2b3c4' };
	const met = explainSystemError(new UserError({ ...git, details: 'fatal: No space left on device' }), '/cache');
	assert.ok(isUserError(met) && met.code === 'disk-full' && met.exitCode === 3 && met.where === git.where);
	const other = new UserError({ ...git, details: 'fatal: not a tree' });
	assert.equal(explainSystemError(other, '/cache'), other);
	const bug = new TypeError('x is undefined');
	assert.equal(explainSystemError(bug, '/cache'), bug);
	const elsewhere = Object.assign(new Error('EACCES'), { code: 'EACCES', path: '/etc/shadow' });
	assert.equal(explainSystemError(elsewhere, '/cache'), elsewhere);

	const cwd = makeFolder(t, { taken: 'a file', ...tinyFramework('1.0.0') });
	for (const cacheFolder of [join(cwd, 'taken'), join(cwd, 'taken', 'below')]) {
		const setting = await openSetting(t, { cwd, cacheFolder, toolRoot: tinyTool(t) });
		assert.equal((await userError(setting.prepare('dir:.', 'dir:.', ['tiny']))).code, 'cache-unusable');
	}
});

test('a full disk is named instead of the command that met it', () => {
	const source = {
		kind: 'npm',
		revision: 'npm:a@1.0.0',
		label: 'a@1.0.0',
		content: 'a@1.0.0',
		name: 'a',
		version: '1.0.0',
	} as const;
	const output = 'npm error code ENOSPC\nnpm error syscall write';
	const failure = {
		origin: { side: 'base', source },
		what: 'npm ci',
		ending: 'exit code 1',
		repeat: 'npm ci',
	} as const;
	// The log may be on the same full disk, and then it is empty.
	for (const error of [failureOf({ ...failure, output }), failureOf({ ...failure, output: '', diskFull: true })]) {
		assert.equal(error.code, 'disk-full');
		assert.equal(error.exitCode, 3);
		assert.match(error.remedy ?? '', /BENCHGATE_CACHE/);
	}
});
