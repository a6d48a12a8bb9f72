import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPortGuard } from '../../src/isolation/guard-ports.ts';

test('there is no guard without nft, and none where it may not make tables', async (t) => {
	assert.equal(await openPortGuard(null, 'root', 'benchgate_test'), null);
	const folder = mkdtempSync(join(tmpdir(), 'benchgate-nft-'));
	t.after(() => rmSync(folder, { recursive: true }));
	const nft = join(folder, 'nft');
	const says = 'echo "Error: Could not process rule: Operation not permitted" >&2';
	writeFileSync(nft, `#!/bin/sh\n${says}\n[ "$1" != -i ] || cat >/dev/null\nexit 1\n`, { mode: 0o755 });
	assert.equal(await openPortGuard(nft, 'root', 'benchgate_test'), null);
});
