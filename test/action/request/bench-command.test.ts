import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
	commandKeyOf,
	formatCommand,
	hasWords,
	parseCommand,
	SCENARIO_LIMIT,
} from '../../../src/action/request/bench-command.ts';
import { parsePercentage } from '../../../src/config/durations.ts';
import { formatOrder, parseOrder } from '../../../src/github/command.ts';

const COMMANDS: [string, string[], string | undefined][] = [
	['/benchgate', [], undefined],
	['\n\n  /Benchgate  \n', [], undefined],
	['/benchgate ping json-post', ['ping', 'json-post'], undefined],
	['/benchgate ping, ping,json-post threshold=3%', ['ping', 'json-post'], '3%'],
	['/benchgate --threshold=2.5% core\r\nthanks a lot; threshold=9%', ['core'], '2.5%'],
	['/benchgate __proto__ constructor', ['__proto__', 'constructor'], undefined],
];

for (const [text, scenarios, threshold] of COMMANDS) {
	test(`${JSON.stringify(text)} is a command`, () => assert.deepEqual(parseCommand(text), { scenarios, threshold }));
}

const OTHERS = [
	'',
	' ',
	'hello',
	'do /benchgate',
	'> /benchgate',
	'/benchgates',
	'/benchgate/x',
	'`/benchgate`',
	'x\n/benchgate',
];

for (const text of OTHERS) {
	test(`${JSON.stringify(text)} is no command`, () => assert.equal(parseCommand(text), null));
}

const MANY = Array.from({ length: SCENARIO_LIMIT + 1 }, (_, index) => `s${index}`).join(' ');
const PROBLEMS: [string, RegExp][] = [
	['/benchgate $(rm)', /^"\$\(rm\)" is not a scenario's name$/],
	['/benchgate -v', /"-v" is not/],
	['/benchgate ../x', /"\.\.\/x" is not/],
	[`/benchgate ${'x'.repeat(65)}`, /"x{63}…" is not/],
	['/benchgate \u202eevil', /"\ufffdevil" is not/],
	['/benchgate threshold=5', /^threshold "5" is not a percentage above 0%/],
	['/benchgate threshold=', /^threshold "" is not/],
	['/benchgate treshold=5%', /^"treshold=" is no option; did you mean "threshold="\?/],
	['/benchgate budget=10h', /^"budget=" is no option$/],
	['/benchgate threshold=5% threshold=6%', /^more than one threshold/],
	[`/benchgate ${MANY}`, /^more than 50 scenarios/],
];

for (const [text, expected] of PROBLEMS) {
	test(`${JSON.stringify(text.slice(0, 40))} is refused`, () => {
		const command = parseCommand(text);
		assert.ok(command !== null && 'problem' in command);
		assert.match(command.problem, expected);
	});
}

const name = fc.stringMatching(/^[A-Za-z0-9._][A-Za-z0-9._-]{0,63}$/);
const percentage = fc.integer({ min: 1, max: 9999 }).map((hundredths) => `${hundredths / 100}%`);
const gap = fc.constantFrom(' ', '  ', '\t', ', ', ',');

test('a written command is read again', () => {
	fc.assert(
		fc.property(
			fc.uniqueArray(name, { maxLength: SCENARIO_LIMIT }),
			fc.option(percentage, { nil: undefined }),
			gap,
			fc.string(),
			(scenarios, threshold, separator, rest) => {
				const words = ['/benchgate', ...scenarios, ...(threshold === undefined ? [] : [`threshold=${threshold}`])];
				assert.deepEqual(parseCommand(`${words.join(separator)}\n${rest}`), { scenarios, threshold });
			},
		),
		{ numRuns: 2000, seed: 4 },
	);
});

test('any comment gives a command within its limits, a problem in one plain line, or nothing', () => {
	const fragment = fc.oneof(
		fc.string({ unit: 'binary' }),
		fc.constantFrom('/benchgate', ' ', '\n', ',', '=', 'threshold=', '5%', '-', '\u202e', '\u0000', 'x'.repeat(100)),
	);
	fc.assert(
		fc.property(fc.array(fragment, { maxLength: 60 }), fc.boolean(), (fragments, lead) => {
			const command = parseCommand(`${lead ? '/benchgate ' : ''}${fragments.join('')}`);
			if (command === null) return;
			if ('problem' in command) {
				assert.match(command.problem, /^[^\p{Cc}\p{Bidi_Control}]{1,300}$/u);
				return;
			}
			assert.ok(command.scenarios.length <= SCENARIO_LIMIT);
			for (const scenario of command.scenarios) assert.match(scenario, /^[A-Za-z0-9._-]{1,64}$/);
			if (command.threshold !== undefined) assert.notEqual(parsePercentage(command.threshold), undefined);
		}),
		{ numRuns: 10_000, seed: 4 },
	);
});

test('a command is written as it is read, and in the characters allowed in an order', () => {
	for (const [text] of COMMANDS) {
		const command = parseCommand(text);
		assert.ok(command && !('problem' in command));
		assert.deepEqual(parseCommand(formatCommand(command)), command);
		assert.equal(hasWords(command), formatCommand(command) !== '/benchgate');
		const order = { run: { id: 1, attempt: 2 }, after: 'success', command: formatCommand(command) };
		assert.deepEqual(parseOrder(formatOrder(order)), order);
	}
});

test('the longest command fits into an order', () => {
	const names = Array.from({ length: SCENARIO_LIMIT }, (_, index) => `${index}`.padEnd(64, 'n'));
	const command = formatCommand({ scenarios: names, threshold: '12.345678%' });
	const order = { run: { id: 1, attempt: 2 }, after: 'success', command };
	assert.deepEqual(parseOrder(formatOrder(order)), order);
});

test('no command gets the key of the gate', () => {
	const keys = ['default', 'node-22', 'command', 'node-22-command', 'k'.repeat(64)];
	assert.deepEqual(keys.map(commandKeyOf), [
		'command',
		'node-22-command',
		'command',
		'node-22-command',
		`${'k'.repeat(56)}-command`,
	]);
});
