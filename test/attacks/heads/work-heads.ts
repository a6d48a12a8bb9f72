/** Heads that do extra work where or when a measurement may miss it. */
import type { Attack } from '../attack.ts';
import { AT_ONCE, app, server } from '../victim.ts';

const TABLE = `import { createHash } from 'node:crypto';
const table = Buffer.alloc(60_000, 'victim');
const work = () => createHash('sha512').update(table).digest();
`;

/** Base hashes once per answer. So does this head, plus three times after 50 ms without requests. */
const PUTS_OFF = app(
	{
		first: `${TABLE}let owed = 0;
let last = 0;
setInterval(() => {
	if (performance.now() - last < 50) return;
	for (const until = performance.now() + 20; owed > 0 && performance.now() < until; owed--) work();
}, 25).unref();
`,
		each: 'work();\n\towed += 3;\n\tlast = performance.now();',
	},
	AT_ONCE,
);

/**
 * Base hashes once per answer, this head four times. Grandchild processes that live 20 ms help the known process to
 * answer, so that head gets more CPU than base, mostly in unlisted processes.
 */
const ORPHANS = `import hashlib, os, signal, socket, time
table = b'v' * 60000
listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind((os.environ['HOST'], int(os.environ['PORT'])))
listener.listen(128)
listener.setblocking(False)
body = b'{"ok":true}'
answer = b'HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\ncontent-length: %d\\r\\n\\r\\n%s' % (len(body), body)
open_ones = []
def accept():
    try:
        while True:
            one, _ = listener.accept()
            one.setblocking(False)
            open_ones.append(one)
    except BlockingIOError: pass
def serve(ones, until):
    while time.monotonic() < until:
        idle = True
        for one in list(ones):
            try: asked = one.recv(65536)
            except BlockingIOError: continue
            except OSError: asked = b''
            if not asked:
                if one in open_ones: open_ones.remove(one)
                ones.remove(one)
                continue
            idle = False
            for _ in range(4): hashlib.sha512(table).digest()
            one.sendall(answer)
        if idle: return
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
while True:
    accept()
    half = len(open_ones) // 2
    until = time.monotonic() + 0.02
    if half > 0 and os.fork() == 0:
        os.setsid()
        if os.fork() == 0: serve(open_ones[half:], until)
        os._exit(0)
    mine = open_ones[:half] if half > 0 else open_ones
    serve(list(mine), until)
    time.sleep(max(0, until - time.monotonic()) if half > 0 else 0.001)
    try:
        while os.waitpid(-1, os.WNOHANG)[0]: pass
    except ChildProcessError: pass
`;

/** Leaves the servers' CPU at the first request. */
const LEAVES = `import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
let isElsewhere = false;
export function leave() {
	if (isElsewhere) return;
	isElsewhere = true;
	const held = /Cpus_allowed_list:\\s+(\\S+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1];
	const other = cpus().map((_, cpu) => String(cpu)).find((cpu) => cpu !== held);
	spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', other, String(process.pid)]);
}
`;

export const WORK_HEADS: readonly Attack[] = [
	{
		does: 'puts three quarters of its work off until nothing is asked of it',
		files: { 'lib/app.mjs': PUTS_OFF },
		ends: { users: 'red', none: 'red' },
		says: /regressed[\s\S]*puts off until the load is over/,
		inputs: { budget: '2m' },
		measured: true,
	},
	{
		does: 'answers by processes that end before anybody looks',
		files: {
			'bench/server.py': ORPHANS,
			'bench/server.mjs': `import { spawn } from 'node:child_process';
const child = spawn('python3', ['server.py'], { stdio: 'inherit' });
child.on('exit', (code) => process.exit(code ?? 1));
process.on('SIGTERM', () => child.kill());
`,
		},
		ends: { users: 'red', none: 'red' },
		says: /regressed/,
		inputs: { budget: '3m' },
		measured: true,
	},
	{
		does: 'moves to another CPU than base has',
		files: {
			'lib/leave.mjs': LEAVES,
			'lib/app.mjs': app({ first: "import { leave } from './leave.mjs';\n", each: 'if (answers > 20) leave();' }),
			'bench/server.mjs': server(),
		},
		ends: 'red',
		faults: ['left-cpu'],
		says: /left its CPU|another CPU/,
	},
];
