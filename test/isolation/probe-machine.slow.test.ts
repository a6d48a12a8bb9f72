import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import type { IsolationFacts } from '../../src/isolation/isolation-facts.ts';
import { asRoot, makeOrdinaryUser, nodeForAll, readableByAll } from '../support/ordinary-user.ts';

const user = await makeOrdinaryUser();

function root(script: string): void {
	const [program = '', ...args] = asRoot(['/bin/sh', '-c', script]);
	execFileSync(program, args);
}

function asUser(argv: readonly string[], input = '') {
	const [program = '', ...args] = user.command(argv);
	return spawnSync(program, args, { encoding: 'utf8', input, cwd: '/' });
}

function probe(run: typeof asUser = asUser): IsolationFacts {
	const module = JSON.stringify(readableByAll('src/isolation/probe-machine.ts'));
	const script = `import { probeMachine } from ${module}; console.log(JSON.stringify(probeMachine()));`;
	const { stdout, stderr } = run([nodeForAll(), '--input-type=module', '-e', script]);
	assert.notEqual(stdout, '', stderr);
	return JSON.parse(stdout) as IsolationFacts;
}

/** Like `asUser`, with a /proc that shows a user no processes of others. */
function behindHidepid(argv: readonly string[]) {
	const hide = 'mount -t proc -o hidepid=2 proc /proc && exec "$@"';
	const [program = '', ...args] = asRoot([
		'unshare',
		'--mount',
		'--',
		'/bin/sh',
		'-c',
		hide,
		'sh',
		...user.command(argv),
	]);
	return spawnSync(program, args, { encoding: 'utf8', cwd: '/' });
}

test('a sudo that asks for a password is no privilege, even while it remembers one', (t) => {
	assert.equal(probe().privilege, 'sudo');
	const rule = `/etc/sudoers.d/${user.name}-asks`;
	const lines = `Defaults:${user.name} timestamp_type=global\\n${user.name} ALL=(ALL) PASSWD:ALL\\n`;
	root(`echo '${user.name}:pass' | chpasswd && printf '${lines}' >${rule} && chmod 440 ${rule}`);
	t.after(() => root(`rm -f ${rule}`));
	assert.equal(asUser(['sudo', '-S', 'true'], 'pass\n').status, 0);
	assert.equal(asUser(['sudo', '-n', 'true']).status, 0, 'it is remembered');
	const { privilege, whyNoPrivilege } = probe();
	assert.deepEqual([privilege, whyNoPrivilege], [null, 'this user is not root, and sudo asks for a password']);
});

test('if /proc hides the processes of others, servers cannot be other users, because they could not be watched', (t) => {
	if (behindHidepid(['true']).status !== 0) return t.skip('no /proc can be mounted here');
	assert.equal(probe().whyNoUser, null);
	const { privilege, whyNoUser } = probe(behindHidepid);
	assert.equal(privilege, 'sudo');
	assert.match(whyNoUser ?? '', /^\/proc hides the processes of other users here \(hidepid\)/);
});
