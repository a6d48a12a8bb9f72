/** One run over servers that are broken on head, and its report on each. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CellResult, Result } from '../../../src/types/result.ts';
import {
	assertExit,
	assertNoProcess,
	behavingServer,
	behavingSides,
	type CliRun,
	configOf,
	makePlayground,
	WAITING,
} from '../../support/cli.ts';

const BEHAVIOURS = {
	good: '',
	late: 'listen-late',
	fork: 'fork',
	hang: 'hang-on-sigterm',
	leak: 'leak-children',
	exit: 'exit-at-start',
	mute: 'never-listen',
	body: 'wrong-body',
	status: 'wrong-status',
	crash: 'crash-under-load',
	restart: 'restart',
	later: 'wrong-later',
	busy: 'error-sometimes',
};
export type Server = keyof typeof BEHAVIOURS;

/** They change after a hundred answers or more, so they have to be fast. */
const COUNTING: readonly Server[] = ['crash', 'restart', 'later', 'busy'];

/** Code and words of the first warning of each invalid one. */
const INVALID: Partial<Record<Server, readonly [code: string, message: RegExp]>> = {
	exit: [
		'exited-at-start',
		/^the head server exit exited at start: exit code 7; it printed: cannot find module "left-pad"$/,
	],
	mute: [
		'never-listened',
		/^the head server mute did not listen at http:\/\/127\.0\.0\.1:\d+ \(its HOST and PORT\) within 4 s; it printed: thinking$/,
	],
	body: ['wrong-body', /^head gave a wrong answer to GET \/: body at \$\.ok is false instead of true$/],
	status: [
		'wrong-status',
		/^head gave a wrong answer to GET \/: status 500 instead of 200, with body "\{\\"ok\\":true\}"$/,
	],
	crash: ['crashed', /^the head server crashed under load: /],
	restart: [
		'restarted',
		/^a process of the head server ended and was replaced under load \(\d+ requests or connections were lost\)$/,
	],
	later: [
		'wrong-body',
		/^\d+\.\d\d % of the sampled bodies of head under load were wrong; first: body at \$\.ok is "no" instead of true$/,
	],
	busy: [
		'unexpected-answers',
		/^\d\.\d\d % of the answers of head under load were unexpected; first: status 503 instead of 200, with body "\{\\"error\\":\\"busy\\"\}"$/,
	],
};

/** The report's quote of a fault. */
const QUOTED: Partial<Record<Server, string>> = {
	exit: 'left-pad',
	mute: 'thinking',
	body: '$.ok is false',
	status: 'status 500',
	crash: 'crashed under load',
	busy: '503',
};

export interface FaultsRun {
	readonly run: CliRun;
	readonly result: Result;
	readonly rowOf: (server: Server) => CellResult;
}

/** Registers the common tests of every run over `servers`; returns a function that gives the run after its end. */
export function testFaults(servers: readonly Server[]): () => FaultsRun {
	const behaviours = Object.fromEntries(servers.map((name) => [name, BEHAVIOURS[name]]));
	const playground = makePlayground(
		{ after },
		{
			...behavingSides(behaviours),
			'benchgate.yml': configOf(
				servers.map((name) =>
					behavingServer(name, {
						...(!COUNTING.includes(name) && WAITING),
						...(name === 'mute' && { ready: { timeout: '4s' } }),
					}),
				),
			),
		},
	);
	let run: CliRun;
	let result: Result;
	const rowOf = (server: Server): CellResult => {
		const row = result.cells.find((cell) => cell.server === server);
		assert.ok(row, `no row of ${server}`);
		return row;
	};

	before(async () => {
		// One round of each: the budget is spent after it.
		run = await playground.run(
			'compare --base dir:base --head dir:head --budget 1s --warmup 200ms --seed 1 --json result.json'.split(' '),
		);
		result = JSON.parse(playground.read('result.json'));
	});

	for (const server of servers) {
		const invalid = INVALID[server];
		if (invalid === undefined) {
			test(`a head that is ${BEHAVIOURS[server] || 'good'} is measured like any other`, () => {
				const row = rowOf(server);
				assert.equal(row.verdict, 'inconclusive');
				assert.equal(row.rounds, 1);
				assert.equal(row.guards?.nonExpected, 0);
			});
			continue;
		}
		test(`a head that is ${BEHAVIOURS[server]} gives an invalid row that names side and first fault`, () => {
			const row = rowOf(server);
			assert.equal(row.verdict, 'invalid');
			const [first] = row.warnings;
			assert.equal(first?.code, invalid[0]);
			assert.equal(first?.side, 'head');
			assert.match(first?.message ?? '', invalid[1]);
		});
	}

	test('the report shows every fault', () => {
		const invalid = servers.filter((server) => INVALID[server]).length;
		const text = run.stdout.replace(/\s+/g, ' ');
		assert.match(text, /^FAIL \d+ of \d+ rows are broken, on head only: /);
		const [, several = '', last = ''] = /on head only: ([^.]*) and ([^.]*)\./.exec(text) ?? [];
		assert.equal([...several.split(', '), last].length, Math.min(invalid, 4), text);
		for (const word of servers.flatMap((server) => QUOTED[server] ?? [])) assert.ok(text.includes(word), word);
	});

	test('no process is left running, in no group and under no marker', () => assertNoProcess(playground));

	return () => {
		assertExit(run, 1);
		return { run, result, rowOf };
	};
}
