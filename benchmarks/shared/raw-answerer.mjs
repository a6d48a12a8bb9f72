// Answers as fast as Node can: counts request ends in the byte stream and writes as many fixed answers.
import { createServer } from 'node:net';

const ANSWER = Buffer.from(
	'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{"ok":true}',
);
const END = '\r\n\r\n';

createServer((socket) => {
	socket.setNoDelay(true);
	socket.on('error', () => {});
	socket.on('data', (chunk) => {
		let requests = 0;
		for (let at = chunk.indexOf(END); at >= 0; at = chunk.indexOf(END, at + END.length)) requests++;
		socket.write(requests === 1 ? ANSWER : Buffer.concat(Array(requests).fill(ANSWER)));
	});
}).listen(Number(process.env.PORT), process.env.HOST);
process.on('SIGTERM', () => process.exit(0));
