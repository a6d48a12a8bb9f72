import { GATED_METRICS } from '../../../src/types/metric.ts';

/** Returns a config with one scenario and `rest` under it. */
export const scenario = (rest: string): string =>
	`scenarios:\n  - name: x\n    request: { path: / }\n    expect: { status: 200 }\n${rest}`;
const METRIC_FORM = `one of ${GATED_METRICS.join(', ')}`;
const PATH_FORM = 'a path that starts with "/", percent-encoded, without "#", e.g. /users?page=2';
/** Form of a percentage in messages. */
export const PERCENTAGE = 'a percentage above 0% and below 100%, e.g. 5%';
const TEXT = 'text on one line, in quotes when it looks like a number or like true, e.g. "1"';

/** The error, the config, and the whole message. */
export const refused: readonly (readonly [string, string, string])[] = [
	['an unknown key', 'treshold: 5%', 'benchgate.yml:1: treshold: unknown key; did you mean "threshold"?'],
	[
		'an unknown key that is near nothing',
		'gate: { zzzzzz: 1 }',
		'benchgate.yml:1: gate.zzzzzz: unknown key; allowed: on-inconclusive, uncovered, metrics, enforce-after, drift, drift-threshold',
	],
	[
		'a learn without a source',
		scenario('    learn: { request: { path: /l }, expect: { status: 200 }, send-as: cookie }'),
		'benchgate.yml:5: scenarios[0].learn: it has nothing to learn; add header, cookie or json, e.g. json: $.accessToken',
	],
	[
		'a learn with two sources',
		scenario('    learn: { request: { path: /l }, expect: { status: 200 }, header: a, json: $.a, send-as: cookie }'),
		'benchgate.yml:5: scenarios[0].learn: header and json exclude each other; keep one',
	],
	[
		'an invalid path in a body',
		scenario('    learn: { request: { path: /l }, expect: { status: 200 }, json: accessToken, send-as: cookie }'),
		'benchgate.yml:5: scenarios[0].learn.json: "accessToken" is not allowed; a path such as $.accessToken or $.items[0].id',
	],
	[
		'a pattern that matches everything',
		scenario('    ignore: ["*"]'),
		'benchgate.yml:5: scenarios[0].ignore[0]: "*" is not allowed; text of two characters or more with at most one "*", in quotes, e.g. "/assets/app-*.js"',
	],
	[
		'a pattern that could take long to look for',
		scenario('    ignore: ["ab*ab*ab"]'),
		'benchgate.yml:5: scenarios[0].ignore[0]: "ab*ab*ab" is not allowed; text of two characters or more with at most one "*", in quotes, e.g. "/assets/app-*.js"',
	],
	[
		'an invalid comparison',
		scenario('    compare: text'),
		'benchgate.yml:5: scenarios[0].compare: "text" is not allowed; one of status, headers, body',
	],
	[
		'a threshold out of range',
		'# margins\n\nthreshold: 200%',
		`benchgate.yml:3: threshold: "200%" is not allowed; ${PERCENTAGE}`,
	],
	['a threshold without percent sign', 'threshold: 5', `benchgate.yml:1: threshold: 5 is not allowed; ${PERCENTAGE}`],
	['a key without value', 'threshold:', `benchgate.yml:1: threshold: no value is given; ${PERCENTAGE}`],
	[
		'a tolerance that is not below the threshold',
		'threshold: 4%\ntolerance: 4%',
		'benchgate.yml:2: tolerance: 4% is not below the threshold of 4%; leave it out for half the threshold',
	],
	[
		'a duration with a space',
		'budget: 10 m',
		'benchgate.yml:1: budget: "10 m" is not allowed; a duration in ms, s, m or h, e.g. 90s or 10m',
	],
	[
		'an unknown word',
		'design: deut',
		'benchgate.yml:1: design: "deut" is not allowed; one of duet, alternating, sequential; did you mean "duet"?',
	],
	[
		'an unknown metric',
		'gate:\n  metrics:\n    - throughput\n    - latency-p999',
		`benchgate.yml:4: gate.metrics[1]: "latency-p999" is not allowed; did you mean "latency-p99"? Otherwise ${METRIC_FORM}`,
	],
	[
		'an unknown metric with a threshold',
		'gate:\n  metrics:\n    - { name: latency-p98, threshold: 25% }',
		`benchgate.yml:3: gate.metrics[0].name: "latency-p98" is not allowed; did you mean "latency-p90"? Otherwise ${METRIC_FORM}`,
	],
	[
		'a metric that is neither a word nor a mapping',
		'gate:\n  metrics: [99]',
		'benchgate.yml:2: gate.metrics[0]: 99 is not allowed; a metric, or a mapping such as { name: latency-p99, threshold: 25% }',
	],
	[
		'two thresholds of one metric',
		'gate:\n  metrics: [latency-p99, { name: latency-p99, threshold: 30% }]',
		'benchgate.yml:2: gate.metrics[1]: "latency-p99" is given twice; keep one',
	],
	[
		'a tolerance of a metric that is not below its usual threshold',
		'gate:\n  metrics: [{ name: latency-p99, tolerance: 25% }]',
		'benchgate.yml:2: gate.metrics[0].tolerance: 25% is not below the threshold of 25%; leave it out for half the threshold',
	],
	[
		'a tolerance of a metric that has no threshold of its own',
		'gate:\n  metrics: [{ name: throughput, tolerance: 1% }]',
		'benchgate.yml:2: gate.metrics[0].tolerance: a tolerance of its own needs a threshold; add one',
	],
	[
		'the rise of a count as a percentage of a drop',
		'gate:\n  metrics: [throughput, { name: calls, threshold: 5% }]',
		'benchgate.yml:2: gate.metrics[1].threshold: the limit of a count is a rise; give +0 or more, e.g. +5%',
	],
	[
		'a tolerance of a count',
		'gate:\n  metrics: [throughput, { name: calls, threshold: +5%, tolerance: 1% }]',
		'benchgate.yml:2: gate.metrics[1].tolerance: a count is exact; leave the tolerance out',
	],
	[
		'a rise of a metric without counts',
		'gate:\n  metrics: [{ name: latency-p99, threshold: +0 }]',
		'benchgate.yml:2: gate.metrics[0].threshold: only a count has a rise as its limit; give a percentage above 0% and below 100%, e.g. 5%',
	],
	[
		'counts alone',
		'gate:\n  metrics: [calls, { name: round-trips, threshold: +0 }]',
		'benchgate.yml:2: gate.metrics: counts can fail a run, but not pass it; add a metric that is measured, e.g. throughput',
	],
	[
		'a rate and pipelining',
		'scenarios:\n  - name: a\n    request: { path: / }\n    expect: { status: 200 }\n    load: { rate: 100, pipelining: 2 }',
		'benchgate.yml:5: scenarios[0].load: rate and pipelining exclude each other; keep one',
	],
	[
		'a seed that is no whole number',
		'seed: 1.5',
		'benchgate.yml:1: seed: 1.5 is not allowed; a whole number from 0 to 9007199254740991',
	],
	['a list at the top', '- ping', 'benchgate.yml:1: a list is not allowed; a mapping of keys, e.g. threshold: 5%'],
	[
		'an empty list',
		'servers: []',
		'benchgate.yml:1: servers: an empty list is not allowed; a list of servers; leave the key out for the default',
	],
	[
		'an unknown server',
		'servers: [expres]',
		'benchgate.yml:1: servers[0]: "expres" is not a built-in server; did you mean "express"?',
	],
	[
		'an unknown server that is near nothing',
		'servers: [rails]',
		'benchgate.yml:1: servers[0]: "rails" is not a built-in server; one of express, fastify, node-http',
	],
	[
		'a server given twice',
		'servers:\n  - express\n  - express',
		'benchgate.yml:3: servers[1]: "express" is given twice; keep one',
	],
	[
		'a server named like a built-in one',
		'servers: [{ name: express, command: x }]',
		'benchgate.yml:1: servers[0].name: "express" is built in; choose another name',
	],
	[
		'a server without command',
		'servers:\n  - name: api',
		'benchgate.yml:2: servers[0]: command is missing; text, e.g. node server.js',
	],
	[
		'a server that is neither name nor mapping',
		'servers: [5]',
		'benchgate.yml:1: servers[0]: 5 is not allowed; a built-in name, or a mapping with name and command',
	],
	[
		'a reserved variable',
		'servers: [{ name: a, command: x, env: { PORT: "1" } }]',
		'benchgate.yml:1: servers[0].env: "PORT" is not allowed; a variable name; PORT and HOST are set by benchgate',
	],
	[
		'a variable that is no text',
		'servers: [{ name: a, command: x, env: { WORKERS: 4 } }]',
		`benchgate.yml:1: servers[0].env.WORKERS: 4 is not allowed; ${TEXT}`,
	],
	[
		'a misspelt scenario of a server',
		'servers: [{ name: a, command: x, scenarios: [json-pots] }]',
		'benchgate.yml:1: servers[0].scenarios[0]: "json-pots" is not a scenario; did you mean "json-post"?',
	],
	[
		'a scenario of a server that the file does not list',
		'servers: [{ name: a, command: x, scenarios: [validate-10] }]\nscenarios: [core]',
		'benchgate.yml:1: servers[0].scenarios[0]: "validate-10" is not among the scenarios of this file; add it there',
	],
	[
		'an unknown group',
		'scenarios: [cor]',
		'benchgate.yml:1: scenarios[0]: "cor" is not a built-in scenario; did you mean "core"?',
	],
	[
		'a scenario named like a group',
		scenario('').replace('name: x', 'name: all'),
		'benchgate.yml:2: scenarios[0].name: "all" is built in; choose another name',
	],
	[
		'a scenario without expectation',
		'scenarios: [{ name: x, request: { path: / } }]',
		'benchgate.yml:1: scenarios[0]: expect is missing; a mapping such as { status: 200 }',
	],
	[
		'a path without slash',
		scenario('').replace('path: /', 'path: users'),
		`benchgate.yml:3: scenarios[0].request.path: "users" is not allowed; ${PATH_FORM}`,
	],
	[
		'two bodies',
		scenario('').replace('path: /', 'path: /, method: POST, json: 1, body: x'),
		'benchgate.yml:3: scenarios[0].request: json and body exclude each other; keep one',
	],
	[
		'a mix and a request of its own',
		'scenarios:\n  - name: a\n    request: { path: / }\n    requests: [{ request: { path: / }, expect: { status: 200 } }]',
		'benchgate.yml:2: scenarios[0]: requests and request exclude each other; keep one',
	],
	[
		'an empty mix',
		'scenarios:\n  - name: a\n    requests: []',
		'benchgate.yml:3: scenarios[0].requests: an empty list is not allowed; a list of 1 to 50 requests, each with weight, request and expect',
	],
	[
		'half of a request',
		'scenarios:\n  - name: a\n    requests:\n      - weight: 0.5\n        request: { path: / }\n        expect: { status: 200 }',
		'benchgate.yml:4: scenarios[0].requests[0].weight: 0.5 is not allowed; a whole number from 1 to 1000',
	],
	[
		'a body without a method in a mix',
		'scenarios:\n  - name: a\n    requests:\n      - request: { path: /, body: x }\n        expect: { status: 200 }',
		'benchgate.yml:4: scenarios[0].requests[0].request: a request with a body needs a method; add one, e.g. method: POST',
	],
	[
		'a body without method',
		scenario('').replace('path: /', 'path: /, json: { a: 1 }'),
		'benchgate.yml:3: scenarios[0].request: a request with a body needs a method; add one, e.g. method: POST',
	],
	[
		'a header twice',
		scenario('').replace('path: /', 'path: /, headers: { Accept: a, accept: b }'),
		'benchgate.yml:3: scenarios[0].request.headers.accept: this header is given twice; keep one',
	],
	[
		'an invalid status',
		scenario('').replace('200', '[200, 99]'),
		'benchgate.yml:4: scenarios[0].expect.status[1]: 99 is not allowed; a whole number from 100 to 599',
	],
	[
		'a load of nothing',
		scenario('    load: { connections: 0 }'),
		'benchgate.yml:5: scenarios[0].load.connections: 0 is not allowed; a whole number from 1 to 10000',
	],
	[
		'a duplicate key',
		'threshold: 5%\nthreshold: 6%',
		'benchgate.yml:2: column 1: this key is given twice; keep one of the two keys',
	],
	[
		'a bracket left open',
		'servers: [express',
		'benchgate.yml:1: column 18: Flow sequence in block collection must be sufficiently indented and end with a ]; indent the entries of one mapping or list equally, and close every bracket',
	],
	[
		'a tab',
		'gate:\n\tmetrics: []',
		'benchgate.yml:2: column 1: Tabs are not allowed as indentation; indent with spaces',
	],
	[
		'two documents',
		'seed: 1\n---\nseed: 2',
		'benchgate.yml:2: column 1: Source contains multiple documents; keep one document: remove what follows the second ---',
	],
	[
		'an alias without anchor',
		'subject: *where',
		'benchgate.yml:1: Unresolved alias (the anchor must be set before the alias): where; an alias (*name) needs an earlier anchor (&name) and may not contain itself',
	],
	[
		'a loop',
		'gate: &gate { metrics: [*gate] }',
		'benchgate.yml:1: Converting circular structure to JSON; an alias (*name) needs an earlier anchor (&name) and may not contain itself',
	],
	[
		'a number without end',
		'seed: .inf',
		'benchgate.yml:1: seed: Infinity is not allowed; a finite number, or text in quotes',
	],
	[
		'a number that loses digits',
		scenario('').replace('{ path: / }', '{ method: POST, path: /, json: { id: 197038439483310086, price: 1.10 } }'),
		'benchgate.yml:3: the number 197038439483310086 would become 197038439483310080; put it in quotes, or write the whole body as text (body; under expect: text)',
	],
	['endless brackets', '['.repeat(100_000), 'benchgate.yml:1: more than 200 brackets are open; close them'],
];
