import assert from 'node:assert/strict';
import { test } from 'node:test';
import { liftLatency, parsePackedRaw, splitRounds } from '../../src/formats/raw/parse-packed.ts';
import { parseRaw, renderRaw } from '../../src/formats/raw/raw-file.ts';
import { isUserError } from '../../src/types/errors.ts';
import { shardPlanOf, shardRawOf } from '../support/shards.ts';

const RAW = shardRawOf(shardPlanOf(['koa/ping', 'koa/json'], 1), 1);
const TEXT = renderRaw(RAW);

/** The result of reading: raw data, or the full message. */
function read(parse: (text: string, where: string, version: string) => unknown, text: string): unknown {
	try {
		return parse(text, 'shard.json', '1.2.3');
	} catch (error) {
		if (!isUserError(error)) throw error;
		const { code, where, message, remedy } = error;
		return { code, where, message, remedy };
	}
}

/** Changes of a valid file, and whether its rounds are still read one by one. */
const CASES: readonly (readonly [string, string, boolean])[] = [
	['as benchgate writes it', TEXT, true],
	['indented', JSON.stringify(RAW, null, '\t'), true],
	['with odd words in it', TEXT.replace('"reproduce":"', '"reproduce":"\\"rounds\\":[{] \\\\'), true],
	['without rounds', JSON.stringify({ ...RAW, rounds: [] }), false],
	['with a key of its own in a round', TEXT.replace('"purpose":"main"', '"__proto__":{"x":1},"purpose":"main"'), true],
	['with a second list of rounds', TEXT.replace(/\}\n$/, ',"rounds":[]}'), false],
	['with a second list in disguise', TEXT.replace(/\}\n$/, ',"rou\\u006eds":[]}'), false],
	[
		'with rounds that are no list',
		TEXT.replace('"rounds":[{', '"rounds":{"a":[{').replace('],"refused"', ']},"refused"'),
		false,
	],
	['with a comma too few', TEXT.replace('},{"round":2', '}{"round":2'), false],
	['with a comma too many', TEXT.replace('],"refused"', ',],"refused"'), false],
	['with an invalid round', TEXT.replace('"rounds":[', '"rounds":[7,'), false],
	['with a wrong word in a round', TEXT.replace('"purpose":"main"', '"purpose":"other"'), true],
	['with a wrong word in both', TEXT.replace('"duet"', '"solo"').replace('"purpose":"main"', '"purpose":"x"'), true],
	['of another version', TEXT.replace('"schemaVersion":1', '"schemaVersion":9'), true],
	['of another kind', TEXT.replace('benchgate-raw', 'benchgate-run'), true],
	['cut off in a round', TEXT.slice(0, TEXT.length / 2), false],
	['cut off after its rounds', TEXT.slice(0, -20), true],
	['nested too deep', TEXT.replace('"rounds":[', `"rounds":[${'['.repeat(20)}${']'.repeat(20)},`), false],
	['that is no JSON', 'hello', false],
	['that is a list', '["rounds",[{}]]', false],
];

for (const [label, text, isSplit] of CASES) {
	test(`a raw file ${label} reads the same round by round as at once, and is refused in the same words`, () => {
		assert.equal(splitRounds(text) !== null, isSplit);
		assert.deepEqual(read(parsePackedRaw, text), read(parseRaw, text));
	});
}

const LATENCY = /"latency":\[\[[^"]*\]\]/;
const entries = (count: number) => `[${Array.from({ length: count }, (_, index) => `[${index},1]`).join()}]`;

/** Substitutes for a histogram, and whether each is still cut out of the text before it is parsed. */
const HISTOGRAMS: readonly (readonly [string, boolean])[] = [
	['"latency":[[7,8],[90,1000]]', true],
	['"latency":[]', true],
	['"latency":[[0,4294967295],[4294967295,0]]', true],
	['"latency":[[1,2]],"latency":[[5,6]]', true],
	[`"latency":${entries(2_000)}`, true],
	[`"latency":${entries(2_001)}`, false],
	['"latency":[[0,4294967296]]', false],
	['"latency":[[9,1],[8,1]]', false],
	['"latency":[[1.5,2]]', false],
	['"latency":[[1e3,2]]', false],
	['"latency":[[-1,2]]', false],
	['"latency":[[01,2]]', false],
	['"latency":[[1,2,3]]', false],
	['"latency":[[1]]', false],
	['"latency":[[1,2],]', false],
	['"latency":[[1,]]', false],
	['"latency":[1,2]', false],
	['"latency":[[1,2]', false],
	['"latency":7', false],
	['"latency" :[[0,0]]', false],
	['"latency":[[5,5]],"latency" :[[0,0]]', false],
	['"l\\u0061tency":[[0,0]]', false],
	['"latency":[[5,5]],"l\\u0061tency":[[0,0]]', false],
];

for (const [histogram, isLifted] of HISTOGRAMS) {
	test(`${histogram.slice(0, 60)} reads the same in the whole text, and is refused in the same words`, () => {
		assert.match(TEXT, LATENCY);
		const text = TEXT.replace(LATENCY, () => histogram);
		const [round = ''] = splitRounds(text)?.rounds ?? [text.slice(text.indexOf('"rounds":[') + 10)];
		assert.equal(liftLatency(round) !== null, isLifted);
		assert.deepEqual(read(parsePackedRaw, text), read(parseRaw, text));
	});
}

test('latencies are packed however a file was read', () => {
	for (const text of [TEXT, TEXT.replace(/\}\n$/, ',"more":"\\u00e9"}')]) {
		const side = parsePackedRaw(text, 'shard.json', '1.2.3').rounds[0]?.cells[0]?.windows[0]?.base;
		assert.equal(typeof Object.getOwnPropertyDescriptor(side, 'latency')?.get, 'function');
	}
});
