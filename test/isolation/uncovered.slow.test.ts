/** The token that checkout leaves in git's configuration stays hidden when that file changes during a run. */
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BOTH_WAYS, makeOrdinaryUser } from '../support/ordinary-user.ts';
import { openClient } from './isolation-client.ts';
import { makePlace, runAsRoot } from './place.ts';

const user = await makeOrdinaryUser();
const SECRET = 'AUTHORIZATION: basic c2VjcmV0';

for (const who of BOTH_WAYS) {
	for (const wish of ['users', 'namespace'] as const) {
		test(`${who}, ${wish}: a configuration that git rewrites meanwhile is covered again, and the run can report it`, async (t) => {
			const folder = makePlace(t, who, user);
			const repository = join(folder, '..', 'repository');
			runAsRoot('git', 'init', '-q', repository);
			runAsRoot('git', '-C', repository, 'config', 'http.https://github.com/.extraheader', SECRET);
			if (who === 'sudo') runAsRoot('chown', '-R', user.name, repository);
			const iso = await openClient(t, { who, user, folder, wish, repository: join(repository, '.git') });
			assert.deepEqual([iso.level, iso.reason], [wish, null]);
			const config = join(folder, '../repository/.git/config');
			const look = async () => (await iso.run('head', `cat '${config}'`)).stdout;
			const before = await look();
			assert.match(before, /\[core\]/);
			assert.ok(!before.includes(SECRET));
			// Concurrent tests create users.
			const listUncovered = async () =>
				(await iso.order<string[]>({ do: 'uncovered' })).filter((path) => !path.startsWith('/etc/'));
			assert.deepEqual(await listUncovered(), []);
			const { status, stderr } = await iso.us(`git -C '${repository}' config user.name somebody`);
			assert.equal(status, 0, stderr);
			assert.equal(await look(), before);
			const [replaced, ...more] = await listUncovered();
			assert.match(replaced ?? '', /\/repository\/\.git\/config$/);
			assert.deepEqual(more, []);
			assert.match((await iso.us(`cat '${config}'`)).stdout, /somebody/);
		});
	}

	test(`${who}, users: a token beside the code is hidden, wherever the checkout is`, async (t) => {
		const folder = makePlace(t, who, user);
		// Neither in a home nor among temporary files, which are covered anyway.
		const checkout = realpathSync(mkdtempSync('/var/lib/benchgate-checkout-'));
		t.after(() => runAsRoot('rm', '-rf', checkout));
		runAsRoot('chmod', '755', checkout);
		runAsRoot('git', 'init', '-q', checkout);
		const script = `echo '${SECRET}' >.npmrc; mkdir -p apps/api; cp .npmrc apps/api/.env; echo seen >index.js`;
		runAsRoot('sh', '-c', `cd '${checkout}'; umask 022; ${script}`);
		if (who === 'sudo') runAsRoot('chown', '-R', user.name, checkout);
		const iso = await openClient(t, { who, user, folder, wish: 'users', repository: join(checkout, '.git') });
		assert.deepEqual([iso.level, iso.reason], ['users', null]);
		const { stdout } = await iso.run('head', `cd '${checkout}'; cat index.js .npmrc apps/api/.env`);
		assert.equal(stdout, 'seen\n');
	});
}
