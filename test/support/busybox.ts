/** BusyBox, whose programs share the usual names but support fewer options: unpacked from Debian's package. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { asRoot } from './ordinary-user.ts';

const PACKAGE = 'busybox-static';

/** Returns a world-executable BusyBox, removed after the file's tests. Throws if unavailable. */
export function fetchBusyBox(): string {
	const folder = mkdtempSync('/var/tmp/benchgate-busybox-');
	after(() => rmSync(folder, { recursive: true, force: true }));
	execFileSync('chmod', ['0755', folder]);
	const inFolder = (...argv: readonly string[]) =>
		execFileSync(argv[0] ?? '', argv.slice(1), { cwd: folder, stdio: 'pipe' });
	try {
		inFolder('apt-get', 'download', '-q', PACKAGE);
	} catch {
		inFolder(...asRoot(['apt-get', 'update', '-q']));
		inFolder('apt-get', 'download', '-q', PACKAGE);
	}
	const archive = readdirSync(folder).find((name) => name.endsWith('.deb')) ?? '';
	inFolder('dpkg', '-x', archive, folder);
	return join(folder, 'bin/busybox');
}
