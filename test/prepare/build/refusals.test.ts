import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRefusal } from '../../../src/prepare/build/build-failure.ts';

/** Lines of package managers, and the beginnings of their remedies. */
const refusals: readonly (readonly [string, RegExp])[] = [
	[`error An unexpected error occurred: "Failed to replace env in config: $\{ACME_TOKEN}".`, /ACME_TOKEN= npm ci/],
	['Usage Error: Environment variable not found (ACME_TOKEN) in /srv/.yarnrc.yml', /needs the variable ACME_TOKEN/],
	['Internal Error: Cannot find matching keyid: {"signatures":[]}', /^corepack does not know the key/],
	['npm error code EBADENGINE', /--node PATH$/],
	[
		"Internal Error: EACCES: permission denied, symlink '../lib/node_modules/corepack/dist/pnpm.js' -> '/usr/bin/pnpm'",
		/^corepack may not write there: leave it out/,
	],
	[' ERR_PNPM_UNSUPPORTED_ENGINE  Unsupported environment (bad pnpm and/or Node.js version)', /--node PATH$/],
	['error acme@1.0.0: The engine "node" is incompatible with this module. Expected version ">=99".', /--node PATH$/],
	[
		'ERROR: This version of pnpm requires at least Node.js v22.13',
		/^the pnpm of this repository needs Node 22\.13 or later: --node PATH$/,
	],
	[
		' ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile"',
		/^the lockfile .*pnpm install --no-frozen-lockfile"$/,
	],
	[
		'npm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.',
		/^the lockfile .* update it with npm install .*"prepare: npm install"$/,
	],
	[
		'[ERR_PNPM_FETCH_404] GET https://registry.example/nightly/-/nightly-1.tgz: Not Found - 404',
		/^the registry does not have.*prepare: pnpm install --no-lockfile/,
	],
	[
		'npm error 404 Not Found - GET https://registry.example/a/-/a-1.0.0.tgz',
		/^the registry does not have.*prepare: npm install --no-package-lock/,
	],
	[
		'error Error: https://registry.example/a/-/a-4.2.0.tgz: Request failed "404 Not Found"',
		/^the registry does not have.*prepare: yarn install --no-lockfile/,
	],
	[
		'➤ YN0035: │ typedriver@npm:0.8.6: Package not found',
		/^the registry does not have.*prepare: rm yarn\.lock && yarn install --no-immutable/,
	],
	['error: lockfile had changes, but lockfile is frozen', /^the lockfile .*"prepare: bun install"$/],
	[
		'error Your lockfile needs to be updated, but yarn was run with `--frozen-lockfile`.',
		/^the lockfile .*"prepare: yarn install"$/,
	],
	[
		'➤ YN0028: │ The lockfile would have been modified by this install, which is explicitly forbidden.',
		/^the lockfile .*"prepare: yarn install --no-immutable"$/,
	],
	['npm error code EINTEGRITY', /^the registry gives something else/],
	['npm error code E401', /^the registry wants a login/],
	['➤ YN0041: │ left-pad@npm:1.3.0: Invalid authentication (as an anonymous user)', /^the registry wants a login/],
	['Error: Invalid signature for pnpm 10.0.0', /^corepack does not know the key/],
	[
		' ERR_PNPM_OTHER_PM_EXPECTED  This project is configured to use yarn',
		/^put the package manager that its "packageManager" names on your PATH, or take it off/,
	],
	[
		`error This project's package.json defines "packageManager": "yarn@4.9.2". However the current global version of Yarn is 1.22.22.`,
		/^put the package manager that its "packageManager" names on your PATH/,
	],
	[
		' ERR_PNPM_TRUST_DOWNGRADE  High-risk trust downgrade for "a@1.0.1"',
		/^pnpm holds it back by a setting of the repository/,
	],
	[
		'[ERR_PNPM_IGNORED_BUILDS] Ignored build scripts: esbuild. Run "pnpm approve-builds"',
		/^pnpm holds it back by a setting of the repository/,
	],
	[
		'npm error Unknown project config "node-linker". This is not supported.',
		/^npm refuses the setting node-linker in \.npmrc/,
	],
	['npm error code EUNKNOWNCONFIG', /^npm refuses the setting in \.npmrc/],
	[
		"YN0018: │ a@npm:1.0.0: The remote archive doesn't match the expected checksum",
		/^the registry gives something else/,
	],
	['error: Integrity check failed for tarball: a', /^the registry gives something else/],
];

for (const [line, remedy] of refusals) {
	test(`a refusal is recognised: ${line.slice(0, 60)}`, () => {
		const refusal = findRefusal(`lines before\n${line}\nlines after\n`);
		assert.equal(refusal?.line, line.trim());
		assert.match(refusal?.remedy ?? '', remedy);
	});
}

test('output of a test is no refusal', () => {
	assert.equal(findRefusal('not ok 1 - E401 is answered\nError: integrity of data\n'), null);
});
