import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { IsolationFacts } from '../../src/isolation/isolation-facts.ts';
import { chooseLevel } from '../../src/isolation/open-isolation.ts';
import { hidesOtherUsers } from '../../src/isolation/probe-machine.ts';
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

test('a lower level than requested always has a reason, and no level exceeds the request', () => {
	fc.assert(
		fc.property(fc.constantFrom('auto' as const, ...ORDER), facts, (wish, drawn) => {
			const { level, reason } = chooseLevel(wish, drawn);
			const wanted = wish === 'auto' ? 'users' : wish;
			assert.ok(ORDER.indexOf(level) <= ORDER.indexOf(wanted));
			assert.equal(reason === null, level === wanted);
		}),
	);
});

const mounted = (options: string) =>
	`sysfs /sys sysfs rw 0 0\nproc /proc proc rw,nosuid${options} 0 0\nproc /jail/proc proc rw,hidepid=2 0 0\n`;

test('a /proc that hides other users is recognised by its mount options, in the words of every kernel', () => {
	for (const options of ['', ',hidepid=0', ',hidepid=off'])
		assert.equal(hidesOtherUsers(mounted(options), [1000]), false);
	for (const kind of ['1', '2', '4', 'noaccess', 'invisible', 'ptraceable']) {
		assert.equal(hidesOtherUsers(mounted(`,hidepid=${kind}`), [1000]), true, kind);
	}
});

test('a /proc hides nothing from members of its group, unless only tracers see others', () => {
	assert.equal(hidesOtherUsers(mounted(',gid=26,hidepid=2'), [1000, 26]), false);
	assert.equal(hidesOtherUsers(mounted(',gid=26,hidepid=2'), [1000, 0]), true);
	assert.equal(hidesOtherUsers(mounted(',hidepid=invisible'), [1000, 0]), false, 'without a name it is that of root');
	assert.equal(hidesOtherUsers(mounted(',gid=26,hidepid=ptraceable'), [26]), true);
});

test('of several mounts at /proc the last counts', () => {
	const over = (options: string) => `${mounted(',hidepid=2')}proc /proc proc rw${options} 0 0\n`;
	assert.equal(hidesOtherUsers(over(''), [1000]), false);
	assert.equal(hidesOtherUsers(over(',hidepid=1'), [1000]), true);
	assert.equal(hidesOtherUsers('', [1000]), false);
});
