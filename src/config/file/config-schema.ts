/** JSON Schemas of `benchgate.yml` and scenario files. */
import { RUNTIME_FORM, RUNTIME_PATTERN } from '../../text/runtime-words.ts';
import {
	DESIGNS,
	DRIFT_POLICIES,
	INCONCLUSIVE_POLICIES,
	LANE_WORDS,
	MOST_LANES,
	UNCOVERED_POLICIES,
} from '../../types/config.ts';
import { ISOLATION_WISHES, PREPARE_AS, REQUIRED_LEVELS } from '../../types/isolation.ts';
import { GATED_METRICS, isCounted, METRIC_NAMES } from '../../types/metric.ts';
import { LIMIT_PATTERN, PERCENTAGE_FORM } from '../durations.ts';
import { PACKAGE_NAME, PLACE, PLACE_FORM, SIZE_FORM, SIZE_PATTERN } from '../options/option-kinds.ts';
import {
	choice,
	compared,
	day,
	duration,
	expectation,
	integer,
	type JsonSchema,
	list,
	load,
	mapping,
	name,
	nameOrMapping,
	notBoth,
	percentage,
	request,
	requests,
	text,
	texts,
} from './config-schema-parts.ts';

const readPaths = text('Folder or file, relative to the top of the repository.', 'packages/api');

const server: JsonSchema = mapping(
	'a built-in name, or a mapping with name and command',
	{
		name: name('Name, unique among all servers.', 'api'),
		command: text(
			'Shell command that starts it. It gets PORT, HOST=127.0.0.1 and NODE_ENV=production.',
			'node server.js',
		),
		cwd: { ...text("Folder to start in, relative to the side's checkout.", 'bench'), default: '.' },
		env: texts(
			'Environment variables.',
			{
				pattern: '^(?!(?:PORT|HOST)$)[A-Za-z_][A-Za-z0-9_]*$',
				form: 'a variable name; PORT and HOST are set by benchgate',
			},
			{ LOG_LEVEL: 'silent' },
		),
		start: text(
			'Shell command run before each process, such as one that makes its database: ${port}, ${slot} and ${data} are its own.',
			'node migrate.js "bench_${slot}"',
		),
		stop: text('Shell command run after each process, also when start failed.', 'dropdb --if-exists "bench_${slot}"'),
		ready: {
			...mapping('a mapping such as { path: /healthz, timeout: 30s }', {
				path: {
					...(request.properties as Record<string, JsonSchema>).path,
					description: 'Ready when it answers below 500. When absent: when the port accepts a connection.',
					examples: ['/healthz'],
				},
				timeout: { ...duration('Longest wait, and the longest time start and stop may take.', '30s'), default: '30s' },
			}),
			description: 'When it is ready for load.',
		},
		scenarios: list(
			'Scenarios it answers. Default: the scenarios this file defines, or all listed when it defines none.',
			'scenario names and groups',
			name('Scenario or group.', 'ping'),
		),
		writable: list(
			"Folders it may write, relative to the side's checkout. A fresh one for each process: ${data} in command and env.",
			"folders of the side's checkout",
			text('Folder.', 'var/uploads'),
		),
		reads: list(
			'What it and its build read, besides cwd. Default: reads of the file, else everything.',
			'folders and files',
			readPaths,
		),
	},
	'name',
	'command',
);

const packages: JsonSchema = {
	...texts(
		'Packages that built-in servers run instead of theirs, on both sides: a version, a folder or a tarball.',
		{ pattern: PACKAGE_NAME, form: 'the name of a package, or of a built-in server' },
		{ ergo: './vendor/ergo' },
	),
	errorMessage: 'a mapping of package names to a version, a folder or a tarball',
	additionalProperties: { type: 'string', pattern: PLACE, errorMessage: PLACE_FORM },
};

const form = `${LANE_WORDS.join(', ')} or a whole number from 1 to ${MOST_LANES}`;

const description = 'How many cells are measured at the same time, each on two CPU cores of its own.';

const lanes: JsonSchema = {
	...nameOrMapping(
		{ ...choice('As many as there is room for, or one a core.', LANE_WORDS), errorMessage: form },
		{ ...integer('So many.', 1, MOST_LANES), errorMessage: form },
	),
	description,
	errorMessage: form,
	examples: ['auto', 2],
};

const metricName = choice('Metric.', GATED_METRICS);

const metric = mapping(
	'a metric, or a mapping such as { name: latency-p99, threshold: 25% }',
	{
		name: metricName,
		threshold: {
			type: ['string', 'integer'],
			pattern: LIMIT_PATTERN,
			minimum: 0,
			maximum: 0,
			description: 'Threshold of the rows of this metric, for all scenarios; the largest rise of a count.',
			errorMessage: `${PERCENTAGE_FORM}; of a count +0 or more, e.g. +5%`,
			examples: ['25%', '+5%'],
		},
		tolerance: percentage('Tolerance of these rows. Half the threshold when absent.', '12%'),
	},
	'name',
);

const gate: JsonSchema = {
	...mapping('a mapping such as { on-inconclusive: fail }', {
		'on-inconclusive': choice('Outcome when something stays undecided.', INCONCLUSIVE_POLICIES, 'pass'),
		uncovered: choice('Outcome when no row runs some of the changed code.', UNCOVERED_POLICIES, 'pass'),
		metrics: {
			...list('Metrics that can fail the gate.', 'metrics', nameOrMapping(metricName, metric)),
			default: ['throughput'],
		},
		'enforce-after': day(
			'Last day (UTC) on which a red gate blocks nothing. When absent, red blocks at once.',
			'2026-12-24',
		),
		drift: choice('Whether drift of the main branch fails a run.', DRIFT_POLICIES, 'advisory'),
		'drift-threshold': percentage(
			'A drop of the main branch since its anchor of this or more is drift. Twice the threshold when absent.',
			'10%',
		),
	}),
	description: 'What fails.',
};

/** More than the CPUs of any runner. */
const MOST_WORKERS = 256;

const DRAFT = 'http://json-schema.org/draft-07/schema#';

const check: JsonSchema = mapping(
	'a mapping with name, request and expect',
	{ name: text('What is checked.', 'refuses a wrong token'), request, expect: expectation, ...compared },
	'name',
	'request',
	'expect',
);

const scenarioProperties = {
	name: name('Name, unique among all scenarios.', 'list-users'),
	description: text('One line for lists and reports.', 'Second page of the users'),
	request,
	expect: expectation,
	...compared,
	requests,
	data: {
		...text('CSV or JSON file, relative to the folder of the config, whose values replace {{column}}.', 'users.csv'),
		errorMessage: 'a path of a .csv or .json file, e.g. users.csv',
	},
	load,
	threshold: percentage('Threshold of this scenario: a drop beyond it fails.', '8%'),
	tolerance: percentage(
		'Tolerance of this scenario: a drop up to it is harmless. Half the threshold when absent.',
		'4%',
	),
	checks: list(
		'Requests asked once before load and never loaded, such as those that must be refused.',
		'checks',
		check,
	),
	learn: {
		...mapping(
			'a mapping with request, expect, one of header, cookie and json, and send-as',
			{
				request,
				expect: expectation,
				header: text('Header it stands in. `set-cookie` means all cookies, as `name=value; name=value`.', 'etag'),
				cookie: text('Name of the cookie whose value it is.', 'csrf'),
				json: {
					type: 'string',
					pattern: '^\\$(?:\\.[A-Za-z_$][A-Za-z0-9_$-]*|\\[[0-9]{1,9}\\])+$',
					description: 'Where it stands in a JSON body.',
					errorMessage: 'a path such as $.accessToken or $.items[0].id',
					examples: ['$.accessToken'],
				},
				'send-as': text('Request header that it is sent as.', 'authorization'),
				template: {
					type: 'string',
					pattern: '\\{\\{value\\}\\}',
					description: 'What is sent, with {{value}} in the place of the value. Default: the value alone.',
					errorMessage: 'text with {{value}} in it, in quotes, e.g. "Bearer {{value}}"',
					examples: ['Bearer {{value}}'],
				},
			},
			'request',
			'expect',
			'send-as',
		),
		allOf: [notBoth('header', 'cookie'), notBoth('header', 'json'), notBoth('cookie', 'json')],
		description: 'A value of a first answer that the loaded request sends back.',
	},
	'status-limit': {
		...mapping(
			'a mapping such as { status: 201, max: 50, per: 10s }',
			{
				status: integer('Status that is limited.', 100, 599),
				max: integer('Most answers with it.', 0, 1_000_000_000),
				per: duration('In how long.', '10s'),
			},
			'status',
			'max',
			'per',
		),
		description: 'Most answers of one status in a span of time: a limiter that does not limit is a wrong answer.',
	},
};

const scenarioForm = 'a mapping with name, request and expect';
/** For a key that another part of the schema validates. */
function hintOf({ description, errorMessage }: JsonSchema): JsonSchema {
	return { description, errorMessage };
}

const oneOrSeveral: JsonSchema = {
	if: { type: 'object', errorMessage: scenarioForm, required: ['requests'] },
	// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
	then: { allOf: [notBoth('requests', 'request'), notBoth('requests', 'expect')] },
	else: { properties: { request: hintOf(request), expect: hintOf(expectation) }, required: ['request', 'expect'] },
};
const scenario: JsonSchema = {
	...mapping(`a built-in name, or ${scenarioForm}`, scenarioProperties, 'name'),
	...oneOrSeveral,
};

/** Draft 7. Validation, messages and the published file come from it. */
export const CONFIG_SCHEMA: JsonSchema = {
	$schema: DRAFT,
	title: 'benchgate.yml',
	description: 'What benchgate loads, and when a change fails.',
	...mapping('a mapping of keys, e.g. threshold: 5%', {
		subject: {
			...text('Folder of the package under test. It replaces that package in every built-in server that uses it.', '.'),
			default: '.',
		},
		packages,
		prepare: text('Shell command run once per side. Default: install by lockfile.', 'npm ci && npm run build'),
		'prepare-timeout': {
			...duration('Longest time one step of preparing a side may take.', '15m'),
			default: '15m',
		},
		'prepare-as': choice(
			'Who builds: the user of the side, or the user that runs benchgate, who may use sudo and docker.',
			PREPARE_AS,
			'side',
		),
		isolation: choice('Who base and head run as. `auto` is the best this machine allows.', ISOLATION_WISHES, 'auto'),
		'isolation-required': choice('Less isolation than this is an error.', REQUIRED_LEVELS),
		runtime: {
			...text('What servers run on. Default: the node on PATH.', 'node@22'),
			pattern: RUNTIME_PATTERN,
			errorMessage: RUNTIME_FORM,
		},
		'memory-limit': {
			...text('A server that uses more resident memory is killed. Default: no limit.', '512MB'),
			pattern: SIZE_PATTERN,
			errorMessage: SIZE_FORM,
		},
		harness: list(
			'Folders of bench servers. Both sides get them from the revision whose config applies.',
			'folders',
			text('Folder, relative to the top of the repository.', 'bench'),
		),
		reads: list(
			'What servers and their builds read. Rows of a server for which nothing of it differs need not be measured. Default: everything.',
			'folders and files',
			readPaths,
		),
		servers: list(
			'Servers to load: built-in names, or your own commands. Default: the built-in servers that use the subject.',
			'servers',
			nameOrMapping(name('Built-in server.', 'express', 'fastify'), server),
		),
		scenarios: list(
			'Scenarios to load: built-in names, groups (core, browser, auto, all), or your own. Default: core.',
			'scenarios',
			nameOrMapping(name('Built-in scenario or group.', 'core', 'ping'), scenario),
		),
		threshold: { ...percentage('A drop beyond it fails.', '5%'), default: '5%' },
		tolerance: percentage('A drop up to it is harmless. Half the threshold when absent.', '2.5%'),
		budget: { ...duration('Wall time for measuring; scenarios share it by need.', '10m'), default: '10m' },
		warmup: duration(
			'How long fresh servers are warmed up. When absent: until each has answered 40,000 requests, for 1 to 4 s.',
			'20s',
		),
		design: choice('How a round loads its two processes.', DESIGNS, 'duet'),
		lanes,
		'skip-unaffected': {
			type: 'boolean',
			description: 'Whether rows that run no changed code are left out, on the command line.',
			errorMessage: 'true or false',
			default: true,
		},
		gate,
		seed: integer('Seed of every coin flip. Drawn at random and printed when absent.', 0, Number.MAX_SAFE_INTEGER),
	}),
};

const { data: _data, ...builtinProperties } = scenarioProperties;

export const SCENARIO_SCHEMA: JsonSchema = {
	$schema: DRAFT,
	title: 'Scenario of benchgate',
	...mapping(
		scenarioForm,
		{
			...builtinProperties,
			groups: list('Groups it belongs to besides all.', 'groups', name('Group.', 'core')),
			metrics: list(
				'What it measures instead of what the gate names, on fresh processes and without the usual windows.',
				'metrics',
				choice(
					'Metric.',
					METRIC_NAMES.filter((metric) => !isCounted(metric)),
				),
			),
			workers: integer('Worker processes that share the port of one server.', 1, MOST_WORKERS),
			'in-process': {
				const: true,
				description: 'Requests are handed to the program without a socket.',
				errorMessage: 'true; leave the key out for a socket',
			},
			ramp: list(
				'Numbers of connections that a ranking loads it with, one after the other.',
				'numbers of connections',
				integer('Connections.', 1, 10_000),
			),
		},
		'name',
		'description',
	),
	...oneOrSeveral,
	description: 'One request shape, or a mix of several, with what is expected and its load.',
};
