import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseInputs } from '../../../src/action/request/inputs.ts';
import { warnAboutServer } from '../../../src/action/services/open-services.ts';
import type { ActionRequest } from '../../../src/types/action-run.ts';

const PAIR = { comment: 'never', 'check-run': 'false' };

function warn(
	kind: ActionRequest['kind'],
	inputs: Readonly<Record<string, string>> = {},
	serverUrl = 'https://git.acme.example',
	hasOwnFolder = false,
): string | null {
	return warnAboutServer({ serverUrl }, parseInputs(inputs), { kind }, hasOwnFolder)?.message ?? null;
}

test('features missing on an enterprise server are reported before measuring', () => {
	assert.match(
		warn('compare', PAIR) ?? '',
		/git\.acme\.example .*reporting workflow gets nothing.*Instead, use one workflow/,
	);
	assert.match(warn('baseline') ?? '', /mode: record gets nothing to store/);
	for (const kind of ['plan', 'shard', 'gather'] as const) {
		assert.throws(() => warn(kind), { code: 'no-artifacts', message: /several machines/ });
	}
});

test('features that work there give no warning, nor does github.com or a folder for artifacts', () => {
	for (const kind of ['compare', 'report', 'command', 'selftest', 'nothing'] as const) assert.equal(warn(kind), null);
	assert.equal(warn('compare', { comment: 'never' }), null);
	for (const server of ['https://github.com', 'https://acme.ghe.com']) {
		for (const kind of ['compare', 'plan', 'baseline'] as const) assert.equal(warn(kind, PAIR, server), null);
	}
	assert.equal(warn('plan', PAIR, 'https://git.acme.example', true), null);
});
