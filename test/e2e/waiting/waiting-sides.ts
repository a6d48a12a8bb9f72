/** A server that waits instead of computing. */
import { configOf, type Files } from '../../support/cli.ts';

const WAITING = `
const { readFileSync } = require('node:fs');
const wait = Number(readFileSync('wait', 'utf8'));
require('node:http').createServer((_, response) => {
	const answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
	if (wait === 0) answer();
	else setTimeout(answer, wait);
}).listen(process.env.PORT, process.env.HOST);
process.on('SIGTERM', () => process.exit(0));
`;

/** Returns both sides of a server that waits so many milliseconds before it answers. */
export function waitingSides(base: number, head: number, threshold = '50%'): Files {
	return {
		'base/server.js': WAITING,
		'head/server.js': WAITING,
		'base/wait': String(base),
		'head/wait': String(head),
		'benchgate.yml': configOf([{ name: 'waiting', command: 'node server.js' }], { threshold, warmup: undefined }),
	};
}
