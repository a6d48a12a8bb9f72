/** Copied beside a service: what the file `planted` names, its head does worse. Base has the same code, and the file is empty. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const PLANTED = readFileSync(new URL('planted', import.meta.url), 'utf8');
const SPUN = 3_000;
const RING = 4_000;

const kept = [];
let asked = 0;
let value = 1;

/** What is done before anything is answered, and before each answer; by how many milliseconds that is late; and what its header says. */
const FAULTS = {
	'slow-start': { start: () => wait(300) },
	ballast: { start: () => kept.push(Buffer.alloc(16e6, 1)) },
	/** Of 100,000 answers 512 bytes each stay: 51 MB. */
	leak: { before: () => kept.push(Buffer.alloc(512, 1)) },
	/** Some 5 to 10 µs of work. */
	spin: {
		before() {
			let next = value;
			for (let unit = 0; unit < SPUN; unit++) next = (Math.imul(next, 1_664_525) + 1_013_904_223) | 0;
			value = next;
		},
	},
	/** Objects that live for some thousand requests: each is copied twice before it is garbage. */
	garbage: {
		before() {
			kept[asked % RING] = Array.from({ length: 200 }, (_, id) => ({ id, asked }));
		},
	},
	/** A function that does nothing. */
	call: { before: () => [0].forEach(() => {}) },
	/** A round trip with the program at the port PEER, which nothing waits for. */
	ask: {
		start: () => kept.push(connect(Number(process.env.PEER), '127.0.0.1').setNoDelay().resume()),
		before: () => kept[0].write('?'),
	},
	delay: { late: () => 5 },
	/** One answer in fifty. */
	tail: { late: () => (asked % 50 === 0 ? 20 : 0) },
	short: { note: '' },
};
const fault = PLANTED === '' ? {} : FAULTS[PLANTED];
if (fault === undefined) throw new Error(`no fault ${PLANTED}; there are ${Object.keys(FAULTS).join(', ')}`);
await fault.start?.();

/** What a service may say in a header. */
export const NOTE = fault.note ?? 'x'.repeat(1_000);

/** Returns the listener that answers as `answer` does, with what is planted. */
export function plantIn(answer) {
	return (request, response) => {
		asked++;
		fault.before?.();
		const milliseconds = fault.late?.() ?? 0;
		if (milliseconds > 0) setTimeout(answer, milliseconds, request, response);
		else answer(request, response);
	};
}
