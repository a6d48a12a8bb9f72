/** Pipes one side's output into the other, with each side's own rights, so no link leads elsewhere. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { LATE, within } from '../../process/deadline.ts';
import { shellWord } from '../../text/escape.ts';
import type { SideUser } from '../../types/isolation.ts';
import type { Sides } from '../../types/units.ts';

/** Download caches of package managers, below HOME. */
const CACHES = [
	'.npm/_cacache',
	'.cache',
	'.yarn',
	'.local/share/pnpm',
	'.bun/install/cache',
	'.cargo/registry',
	'go/pkg/mod',
	'.m2',
	'.gradle/caches',
];

const PACK = `
cd "$HOME" || exit 0
set -- ${CACHES.map((path) => `"${path}"`).join(' ')}
for path in "$@"; do shift; [ ! -e "$path" ] || set -- "$@" "$path"; done
[ $# -eq 0 ] || exec tar -cf - "$@"
`;

const UNPACK = 'cd "$HOME" && exec tar -xf - 2>/dev/null';

/** Enough at hundreds of MB/s. Beyond this, downloading is faster. */
const PATIENCE_MS = 60_000;

export interface PipeEnd {
	readonly user: SideUser;
	readonly script: string;
}

/** Whether `to` succeeded. After `patience` milliseconds it ends everything that both users run. */
export async function pipeSides(from: PipeEnd, to: PipeEnd, patience: number): Promise<boolean> {
	const script = `${commandOf(from)} | ${commandOf(to)}`;
	const env = { PATH: process.env.PATH ?? '' };
	const copying = spawn('/bin/sh', ['-c', script], { cwd: '/', env, detached: true, stdio: 'ignore' });
	const ended = Promise.race([once(copying, 'exit'), once(copying, 'error')]).catch(() => {});
	if ((await within(patience, ended)) !== LATE) return copying.exitCode === 0;
	await Promise.all([from.user.endAll(), to.user.endAll()]);
	await ended;
	return false;
}

function commandOf({ user, script }: PipeEnd): string {
	const env = user.environment({ PATH: process.env.PATH ?? '' });
	return user.launch(['/bin/sh', '-c', script], { cwd: '/', env }).argv.map(shellWord).join(' ');
}

/** Copies download caches from base's home to head's. After a failure, head downloads again. */
export async function shareCaches({ base, head }: Sides<SideUser>): Promise<void> {
	await pipeSides({ user: base, script: PACK }, { user: head, script: UNPACK }, PATIENCE_MS);
}
