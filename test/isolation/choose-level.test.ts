import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chooseLevel } from '../../src/isolation/choose-level.ts';
import type { IsolationFacts } from '../../src/isolation/isolation-facts.ts';
import type { IsolationWish } from '../../src/types/isolation.ts';

/** A hosted runner. */
const RUNNER: IsolationFacts = {
	platform: 'linux',
	privilege: 'sudo',
	whyNoPrivilege: null,
	setpriv: '/usr/bin/setpriv',
	unshare: '/usr/bin/unshare',
	nsenter: '/usr/bin/nsenter',
	nft: '/usr/sbin/nft',
	setprivChangesUser: true,
	whyNoUser: null,
	whyNoNamespace: null,
};
const NO_SUDO: IsolationFacts = { ...RUNNER, privilege: null, whyNoPrivilege: 'sudo asks for a password' };
const ORDER = ['none', 'namespace', 'users'] as const;

const CASES: readonly (readonly [string, IsolationWish, Partial<IsolationFacts>, string, RegExp | null])[] = [
	['a hosted runner', 'auto', {}, 'users', null],
	['a hosted runner, none wished', 'none', {}, 'none', null],
	['a hosted runner, namespace wished', 'namespace', {}, 'namespace', null],
	['root in a container', 'auto', { privilege: 'root', whyNoNamespace: 'EPERM' }, 'users', null],
	['no password for sudo', 'auto', NO_SUDO, 'namespace', /^sudo asks for a password$/],
	[
		'a container without rights',
		'users',
		{ ...NO_SUDO, whyNoNamespace: 'user namespaces are not available: EPERM' },
		'none',
		/^sudo asks for a password; user namespaces are not available: EPERM$/,
	],
	['BusyBox', 'auto', { setprivChangesUser: false, whyNoNamespace: 'no' }, 'none', /BusyBox.*install util-linux/],
	['no util-linux', 'auto', { setpriv: null, unshare: null }, 'none', /setpriv is not installed.*unshare is not/],
	[
		'users may not be changed',
		'auto',
		{ whyNoUser: 'setresuid failed', whyNoNamespace: 'no' },
		'none',
		/^setresuid failed; no$/,
	],
	['macOS', 'auto', { platform: 'darwin' }, 'none', /^darwin has no setpriv; darwin has no user namespaces$/],
];

for (const [name, wish, facts, level, reason] of CASES) {
	test(`${name}: ${wish} comes to ${level}`, () => {
		const choice = chooseLevel(wish, { ...RUNNER, ...facts });
		assert.equal(choice.level, level);
		if (reason === null) assert.equal(choice.reason, null);
		else assert.match(choice.reason ?? '', reason);
	});
}

const text = fc.option(fc.constantFrom('one', 'two'), { nil: null });
const facts: fc.Arbitrary<IsolationFacts> = fc.record({
	platform: fc.constantFrom('linux', 'darwin'),
	privilege: fc.option(fc.constantFrom('root' as const, 'sudo' as const), { nil: null }),
	whyNoPrivilege: text,
	setpriv: text,
	unshare: text,
	nsenter: text,
	nft: text,
	setprivChangesUser: fc.boolean(),
	whyNoUser: text,
	whyNoNamespace: text,
});

test('less than what was asked for always says why, and never is more', () => {
	fc.assert(
		fc.property(fc.constantFrom('auto' as const, ...ORDER), facts, (wish, found) => {
			const { level, reason } = chooseLevel(wish, found);
			const wanted = wish === 'auto' ? 'users' : wish;
			assert.ok(ORDER.indexOf(level) <= ORDER.indexOf(wanted));
			assert.equal(reason === null, level === wanted);
		}),
	);
});
