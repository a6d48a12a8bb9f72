import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INITIAL_WORKFLOWS } from '../../src/init/initial-workflow.ts';
import { checkWorkflows } from '../../src/init/workflows/check-workflows.ts';
import { findEnterpriseHost } from '../../src/init/workflows/enterprise-server.ts';

const HOSTS: readonly (readonly [string, string | null])[] = [
	['https://github.com/o/r.git', null],
	['https://user:token@github.com/o/r', null],
	['git@github.com:o/r.git', null],
	['git@github.com-work:o/r.git', null],
	['ssh://git@ssh.github.com:443/o/r.git', null],
	['https://acme.ghe.com/o/r', null],
	['https://ghe.com.example/o/r', 'ghe.com.example'],
	['https://notgithub.com/o/r', 'notgithub.com'],
	['https://git.acme.example/o/r', 'git.acme.example'],
	['git@git.acme.example:o/r.git', 'git.acme.example'],
	['ssh://git@git.acme.example:22/o/r', 'git.acme.example'],
	['http://127.0.0.1:3000', '127.0.0.1'],
	['http://runner.localhost', null],
	['git@gitlab.com:o/r.git', null],
	['git@work:o/r.git', null],
	['../r.git', null],
	['/srv/git/r.git', null],
	['file:///srv/git.d/r.git', null],
	['', null],
];

for (const [address, host] of HOSTS) {
	test(`"${address}" is on ${host ?? 'no enterprise server'}`, () => assert.equal(findEnterpriseHost(address), host));
}

const check = (workflows: readonly { file: string; text: string }[], origin: string | null) =>
	checkWorkflows(
		{ workflows, read: async () => null, isLinked: async () => false, origin },
		{ budgetSeconds: 600, service: null },
	);

test('the pair on an enterprise server is noted, with the alternative that works there', async () => {
	const [note, ...others] = await check(INITIAL_WORKFLOWS, 'git@git.acme.example:o/r.git');
	assert.deepEqual([note?.kind, note?.about, others], ['note', 'workflows', []]);
	assert.match(note?.text ?? '', /git\.acme\.example.*benchgate\.yml, .*benchgate-report\.yml, .*takes no artifacts/);
	assert.match(note?.remedy ?? '', /one workflow whose job measures, comments and writes the check.*docs\/action\.md/);
	for (const origin of ['git@github.com:o/r.git', null]) {
		assert.deepEqual(
			(await check(INITIAL_WORKFLOWS, origin)).map(({ kind }) => kind),
			['ok'],
		);
	}
});

test('one workflow works there', async () => {
	const text = `name: bench
on: pull_request
permissions: {}
jobs:
  bench:
    runs-on: ubuntu-latest
    permissions: { contents: read, pull-requests: write, checks: write }
    steps:
      - uses: actions/checkout@v7
        with: { fetch-depth: 0, persist-credentials: false }
      - uses: benchgate/benchgate@v0
`;
	const findings = await check([{ file: '.github/workflows/bench.yml', text }], 'https://git.acme.example/o/r');
	assert.deepEqual(
		findings.map(({ kind }) => kind),
		['ok'],
	);
});
