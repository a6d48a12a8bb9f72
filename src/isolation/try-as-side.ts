/** Tests whether a side's user can build and serve. */
import { readFileSync } from 'node:fs';
import { execa } from 'execa';
import { LATE, QUESTION_MS, within } from '../process/deadline.ts';
import type { SideUser } from '../types/isolation.ts';
import type { IsolationOptions } from './isolation-facts.ts';

/** Uses shell builtins, because each program delays the run. */
const TRIAL = `
set -e
cd "$1" 2>/dev/null || { echo "other users cannot enter $1 (set BENCHGATE_CACHE to a folder such as /var/tmp/benchgate)" >&2; exit 1; }
for name in $PASSED; do
  cd "$1/$name" 2>/dev/null || { echo "other users cannot enter $1/$name (chmod a+x it, or remove it)" >&2; exit 1; }
done
for folder in "$HOME" "$TMPDIR"; do : >"$folder/trial"; done
rm "$HOME/trial" "$TMPDIR/trial"
shift
for path in "$@"; do
  [ -r "$path" ] || { echo "other users cannot read $path (install it where they can, such as /opt)" >&2; exit 1; }
done
[ ! -r /proc/self/cgroup ] || while read -r line; do printf "%s\\n" "$line"; done </proc/self/cgroup
`;

/** Starts the cgroup v2 line, which differs between the sides by design. */
const UNIFIED = '0::';

/**
 * Throws, with a remedy, when the side's user lacks access, or when the machine puts it into another cgroup v1 than us:
 * the sides would not share CPU time equally.
 */
export async function tryAsSide(
	side: SideUser,
	options: IsolationOptions,
	whyNoView: string | null,
	patienceMs = QUESTION_MS,
): Promise<void> {
	const { folder, needed, passed = [] } = options;
	const env = side.environment({ PATH: process.env.PATH ?? '', PASSED: passed.join(' ') });
	const launch = side.launch(['/bin/sh', '-c', TRIAL, 'sh', folder, ...needed], { cwd: '/', env });
	const [program = '', ...args] = launch.argv;
	// Its own session, like servers: sudo may ask for a password without a terminal.
	const apart = { extendEnv: false, detached: true, cleanup: false, reject: false, stdin: 'ignore' } as const;
	// We may not signal sudo's children. They end when the side is closed.
	const outcome = await within(patienceMs, execa(program, args, { cwd: launch.cwd, env: launch.env, ...apart }));
	if (outcome === LATE) throw new Error(`a first command had not ended after ${patienceMs / 1000} s`);
	if (outcome.failed) {
		const why = outcome.stderr?.trim().split('\n').at(-1) || outcome.shortMessage;
		throw new Error(whyNoView === null ? why : `${why}; and no view of its own can be made (${whyNoView})`);
	}
	const isOurs = (line: string) => side.group === null || !line.startsWith(UNIFIED);
	const listed = (text: string) => text.trim().split('\n').filter(isOurs).join('\n');
	if (listed(outcome.stdout) !== listed(readOwnCgroup()))
		throw new Error('sudo moves processes into another control group here');
}

function readOwnCgroup(): string {
	try {
		return readFileSync('/proc/self/cgroup', 'utf8').trim();
	} catch {
		return '';
	}
}
