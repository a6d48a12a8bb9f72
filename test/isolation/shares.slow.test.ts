/**
 * Isolation must not shift the CPU shares of base and head: both sides are in our control group, with one process group
 * and one session each. A kernel that shares a CPU between sessions (`sched_autogroup_enabled`) then gives each side
 * one share, and one that shares it between threads makes no difference either.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { BOTH_WAYS, makeOrdinaryUser } from '../support/ordinary-user.ts';
import type { Outcome } from './isolation-client.ts';
import { openPlace } from './place.ts';

const user = await makeOrdinaryUser();
/** Sessions are distinguished whether or not the kernel currently shares by them. */
const skip = !existsSync('/proc/self/autogroup') && 'this kernel knows no autogroups';

interface Place {
	readonly cgroup: string;
	readonly autogroup: string;
	readonly nice: string;
	readonly policy: string;
	readonly cpus: string;
	/** Whether its process group is the one that leads its session. */
	readonly leads: boolean;
}

const TELL = `
read -r pid comm state ppid group session rest </proc/self/stat
cat /proc/self/cgroup | tr '\\n' ' '; echo
echo $(cat /proc/self/autogroup)
echo $(echo "$rest" | cut -d ' ' -f 13) $(echo "$rest" | cut -d ' ' -f 35)
grep Cpus_allowed_list /proc/self/status
echo "$group" "$session"
`;

async function placeOf(outcome: Promise<Outcome>): Promise<Place> {
	const { stdout, stderr, status } = await outcome;
	assert.equal(status, 0, stderr);
	const [cgroup = '', autogroup = '', scheduling = '', cpus = '', ids = ''] = stdout
		.split('\n')
		.map((line) => line.trim());
	const [nice = '', policy = ''] = scheduling.split(' ');
	const [group, session] = ids.split(' ');
	// Each side has a separate cgroup v2 group; the kernel lists it under hierarchy 0.
	const shared = cgroup.replace(/ ?\b0::\S*/, '');
	return { cgroup: shared, autogroup, nice, policy, cpus, leads: group === session };
}

for (const who of BOTH_WAYS) {
	for (const wish of ['users', 'namespace', 'none'] as const) {
		test(`${who}: with ${wish} each side has its own session, and shares everything else that affects CPU time`, {
			skip,
		}, async (t) => {
			const { iso } = await openPlace(t, who, user, { wish });
			const ours = await placeOf(iso.us(TELL));
			const [base, head] = [await placeOf(iso.run('base', TELL)), await placeOf(iso.run('head', TELL))];
			const { autogroup: ofBase, ...commonBase } = base;
			const { autogroup: ofHead, ...commonHead } = head;
			assert.deepEqual(commonBase, commonHead);
			const { cgroup, nice, policy, cpus } = ours;
			assert.deepEqual(commonBase, { cgroup, nice, policy, cpus, leads: true });
			// Each session has its own share, all of one size. A session as old as the machine has none, and its file is
			// empty.
			for (const autogroup of [ofBase, ofHead]) assert.match(autogroup, /^\/autogroup-\d+ nice 0$/);
			assert.equal(new Set([ours.autogroup, ofBase, ofHead]).size, 3);
		});
	}
}
