/** Copied beside a service: the file `planted` names the fault of head. Base has the same code and an empty file. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const PLANTED = readFileSync(new URL('planted', import.meta.url), 'utf8');
const SPUN = 3_000;
const RING = 4_000;

const kept = [];
let requests = 0;
let value = 1;

/** Code to run at start and before each answer, the delay of an answer (ms), and the text of a header. */
const FAULTS = {
	'slow-start': { start: () => wait(300) },
	ballast: { start: () => kept.push(Buffer.alloc(16e6, 1)) },
	/** Keeps 512 bytes per answer: 51 MB after 100,000. */
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
			kept[requests % RING] = Array.from({ length: 200 }, (_, id) => ({ id, requests }));
		},
	},
	/** Calls a function that does nothing. */
	call: { before: () => [0].forEach(() => {}) },
	/** One round trip to the program at the port PEER, without waiting for it. */
	ask: {
		start: () => kept.push(connect(Number(process.env.PEER), '127.0.0.1').setNoDelay().resume()),
		before: () => kept[0].write('?'),
	},
	delay: { late: () => 5 },
	/** One answer in fifty. */
	tail: { late: () => (requests % 50 === 0 ? 20 : 0) },
	short: { note: '' },
};
const fault = PLANTED === '' ? {} : FAULTS[PLANTED];
if (fault === undefined) throw new Error(`no fault ${PLANTED}; there are ${Object.keys(FAULTS).join(', ')}`);
await fault.start?.();

/** Text for a header. */
export const NOTE = fault.note ?? 'x'.repeat(1_000);

/** Returns a listener that answers like `answer`, with the planted fault. */
export function plantIn(answer) {
	return (request, response) => {
		requests++;
		fault.before?.();
		const milliseconds = fault.late?.() ?? 0;
		if (milliseconds > 0) setTimeout(answer, milliseconds, request, response);
		else answer(request, response);
	};
}
