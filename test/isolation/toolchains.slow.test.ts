/** Toolchains in a closed home work for both sides, which see nothing else of that home. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { SIDES } from '../../src/types/units.ts';
import { BOTH_WAYS, makeOrdinaryUser, type Who } from '../support/ordinary-user.ts';
import { makePlace, openPlace, runAsRoot } from './place.ts';

const user = await makeOrdinaryUser();

/** A program on PATH that looks for the toolchain at a variable, else below HOME, like those of rustup and Volta. */
const shim = (variable: string, place: string, program: string) =>
	`#!/bin/sh\nexec "\${${variable}:-$HOME/${place}}/${program}" "$@"\n`;
const FILES = {
	'.cargo/bin/rustc': shim('RUSTUP_HOME', '.rustup', 'toolchains/stable/bin/rustc'),
	'.rustup/toolchains/stable/bin/rustc': '#!/bin/sh\necho rustc of $(cd "$(dirname "$0")"; pwd)\n',
	'.volta/bin/tsc': shim('VOLTA_HOME', '.volta', 'tools/image/tsc'),
	'.volta/tools/image/tsc': '#!/bin/sh\necho tsc\n',
	'.cargo/credentials.toml': 'token = "secret"\n',
	'.npmrc': '//registry.example/:_authToken=secret\n',
	'.ssh/id': 'secret\n',
};

/** A common home: closed, with managers of toolchains, and with secrets that only its permissions protect. */
function makeHome(t: TestContext, who: Who): string {
	const home = realpathSync(mkdtempSync('/var/tmp/benchgate-home-'));
	t.after(() => runAsRoot('rm', '-rf', home));
	for (const [path, text] of Object.entries(FILES)) {
		mkdirSync(dirname(join(home, path)), { recursive: true });
		writeFileSync(join(home, path), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
	}
	if (who === 'sudo') runAsRoot('chown', '-R', user.name, home);
	return home;
}

for (const who of BOTH_WAYS) {
	for (const wish of ['users', 'namespace'] as const) {
		test(`${who}: with ${wish} both sides use the toolchains of a closed home, and see nothing else of it`, async (t) => {
			const home = makeHome(t, who);
			const path = [join(home, '.cargo/bin'), join(home, '.volta/bin'), '/usr/local/bin:/usr/bin:/bin'].join(':');
			const through = ['env', `HOME=${home}`, `PATH=${path}`];
			const { iso } = await openPlace(t, who, user, { wish, through, folder: makePlace(t, who, user) });
			for (const side of SIDES) {
				const { stdout, stderr } = await iso.run(side, 'rustc && tsc');
				assert.equal(stdout, `rustc of ${home}/.rustup/toolchains/stable/bin\ntsc\n`, stderr);
				for (const secret of ['.cargo/credentials.toml', '.npmrc', '.ssh/id'])
					assert.notEqual((await iso.run(side, `cat '${home}/${secret}'`)).status, 0, secret);
				for (const tool of ['.rustup/toolchains/stable/bin/rustc', '.cargo/bin/rustc'])
					assert.notEqual((await iso.run(side, `echo planted >>'${home}/${tool}'`)).status, 0, tool);
			}
		});
	}
}
