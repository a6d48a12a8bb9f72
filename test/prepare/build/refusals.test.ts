import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRefusal } from '../../../src/prepare/build/refusals.ts';

/** Lines that package managers print, and what their remedy begins with. */
const refusals: readonly (readonly [string, RegExp])[] = [
	[`error An unexpected error occurred: "Failed to replace env in config: $\{ACME_TOKEN}".`, /ACME_TOKEN= npm ci/],
	['Usage Error: Environment variable not found (ACME_TOKEN) in /srv/.yarnrc.yml', /asks for the variable ACME_TOKEN/],
	['Internal Error: Cannot find matching keyid: {"signatures":[]}', /^corepack does not know the key/],
	['npm error code EBADENGINE', /--node PATH$/],
	[' ERR_PNPM_UNSUPPORTED_ENGINE  Unsupported environment (bad pnpm and/or Node.js version)', /--node PATH$/],
	['error acme@1.0.0: The engine "node" is incompatible with this module. Expected version ">=99".', /--node PATH$/],
	[
		'ERROR: This version of pnpm requires at least Node.js v22.13',
		/^the pnpm of this repository needs Node 22\.13 or later: --node PATH$/,
	],
	[' ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile"', /^the lockfile of this revision/],
	[
		'npm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.',
		/^the lockfile/,
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
	['error: lockfile had changes, but lockfile is frozen', /^the lockfile of this revision/],
	[
		'➤ YN0028: │ The lockfile would have been modified by this install, which is explicitly forbidden.',
		/^the lockfile/,
	],
	['npm error code EINTEGRITY', /^the registry gives something else/],
	['npm error code E401', /^the registry wants a login/],
];

for (const [line, remedy] of refusals) {
	test(`a refusal is known: ${line.slice(0, 60)}`, () => {
		const found = findRefusal(`lines before\n${line}\nlines after\n`);
		assert.equal(found?.line, line.trim());
		assert.match(found?.remedy ?? '', remedy);
	});
}

test('what a test prints is no refusal', () => {
	assert.equal(findRefusal('not ok 1 - E401 is answered\nError: integrity of data\n'), null);
});
