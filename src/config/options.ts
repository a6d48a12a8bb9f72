/**
 * The table of options. From it come flags, help, inputs, keys of `benchgate.yml` and names in messages.
 */
import { DESIGNS, INCONCLUSIVE_POLICIES } from '../types/config.ts';
import { EXPLAIN_POLICIES } from '../types/explain.ts';
import { BASELINE_OPTIONS, BISECT_OPTIONS, DRIFT_OPTIONS } from './options/baseline-options.ts';
import { MEASURE_OPTIONS } from './options/measure-options.ts';
import { option, USES } from './options/option-entry.ts';
import {
	ACCEPTED,
	DURATION,
	NAMES,
	oneOf,
	PERCENTAGE,
	pathOf,
	REVISION,
	TRUTH,
	wholeNumber,
} from './options/option-kinds.ts';
import { LIMIT_OPTIONS, PACKAGE_OPTION, RUNTIME_OPTIONS } from './options/server-options.ts';
import { SHARD_OPTIONS } from './options/shard-options.ts';
import { SIDE_OPTIONS } from './options/side-options.ts';

export type { CommandName, Option, OptionUse } from './options/option-entry.ts';

const REVISION_DEFAULT = 'HEAD where runtimes are compared; else it must be given';

/** In the order of `--help`, with an option before those that depend on it. */
export const OPTIONS = {
	base: option(REVISION, {
		placeholder: 'revision',
		uses: {
			compare: { help: 'revision to compare head with', otherwise: REVISION_DEFAULT },
			check: { help: 'revision to compare head with', default: 'HEAD' },
		},
		input: {
			name: 'base',
			description:
				'Revision to compare with: a branch, tag or commit, or one with a prefix, such as `npm:fastify@5` (`git:`, `dir:`, `npm:`, `file:`).',
			empty: 'the one that fits the event (docs/action.md)',
		},
	}),
	head: option(REVISION, {
		placeholder: 'revision',
		uses: {
			compare: { help: 'the change to judge', otherwise: REVISION_DEFAULT },
			check: { help: 'the change to judge', default: '.' },
			baseline: { help: 'commit or release to measure', default: 'HEAD' },
		},
		input: {
			name: 'head',
			description: 'Revision to measure, in the same forms as `base`.',
			empty: 'the one that fits the event (docs/action.md)',
		},
	}),
	...BASELINE_OPTIONS,
	...BISECT_OPTIONS,
	...MEASURE_OPTIONS,
	server: option(NAMES, {
		placeholder: 'names',
		uses: {
			compare: USES.servers,
			baseline: USES.servers,
			check: USES.servers,
			selftest: { help: 'built-in servers, separated by commas', otherwise: 'all general ones' },
			measure: {
				help: 'servers to rank, separated by commas: of the config, built in, or all',
				otherwise: 'those of the config, else all general built-in ones',
			},
			bisect: { help: 'one server', otherwise: 'that of the config, else the built-in one that uses the subject' },
		},
		input: { name: 'servers', description: 'Names of the servers to load, separated by commas.' },
		of: ({ servers }) => servers.map(({ name }) => name),
	}),
	scenario: option(NAMES, {
		placeholder: 'names',
		uses: {
			compare: USES.scenarios,
			baseline: USES.scenarios,
			check: USES.scenarios,
			selftest: { help: 'built-in scenarios or groups, separated by commas', default: 'param-json' },
			bisect: { help: 'the scenario that became slower', required: true },
			measure: USES.scenarios,
		},
		input: { name: 'scenarios', description: 'Names of scenarios and groups, separated by commas.' },
		of: ({ scenarios }) => scenarios.map(({ name }) => name),
	}),
	config: option(pathOf('a path'), {
		placeholder: 'file',
		uses: {
			compare: USES.config,
			baseline: USES.config,
			bisect: USES.config,
			check: USES.config,
			measure: USES.config,
		},
		input: {
			name: 'config',
			description: 'Path of the config file in the repository.',
			empty: '`benchgate.yml` or `benchgate.yaml` in the top folder, if there is one',
		},
	}),
	subject: option(pathOf('a folder'), {
		placeholder: 'folder',
		uses: { compare: USES.subject, baseline: USES.subject, bisect: USES.subject, check: USES.subject },
		input: { name: 'subject', description: 'Folder of the package under test, relative to the repository.' },
		file: 'subject',
		of: ({ subject }) => subject,
	}),
	...PACKAGE_OPTION,
	threshold: option(PERCENTAGE, {
		placeholder: 'percentage',
		uses: {
			compare: { help: 'a drop of more than this fails', default: '5%' },
			baseline: { help: 'a drop of more than this is a regression', default: '5%' },
			selftest: { help: 'threshold the gate is tested with', default: '5%' },
		},
		input: { name: 'threshold', description: 'A drop of more than this percentage fails the run, e.g. `5%`.' },
		file: 'threshold',
		of: ({ threshold }) => threshold,
	}),
	tolerance: option(PERCENTAGE, {
		placeholder: 'percentage',
		uses: { compare: USES.harmless, baseline: USES.harmless, selftest: USES.harmless },
		input: {
			name: 'tolerance',
			description: 'A drop of up to this percentage does not matter, e.g. `2.5%`. Less than `threshold`.',
		},
		file: 'tolerance',
		of: ({ tolerance }) => tolerance,
	}),
	budget: option(DURATION, {
		placeholder: 'duration',
		uses: {
			compare: { help: 'longest time to spend measuring, e.g. 90s', default: '10m' },
			baseline: { help: 'longest time to spend measuring two revisions, e.g. 90s', default: '10m' },
			selftest: { help: 'time to spend measuring', default: '20m' },
			bisect: { help: 'longest time to spend building and measuring', default: '30m' },
			measure: { help: 'longest time to spend measuring', default: '30m' },
		},
		input: {
			name: 'budget',
			description:
				'Longest time to spend measuring, e.g. `10m` or `90s`. The run ends earlier once every row is decided.',
		},
		file: 'budget',
		of: ({ budgetSeconds }) => budgetSeconds,
	}),
	warmup: option(DURATION, {
		placeholder: 'duration',
		uses: { compare: USES.warmup, baseline: USES.warmup, selftest: USES.warmup, measure: USES.warmupEach },
		input: {
			name: 'warmup',
			description:
				'How long fresh servers are warmed up, e.g. `20s` for a runtime that optimises late. With less than the default, code that is not yet optimised is compared.',
			empty: 'the value in the config, else until each has answered 40,000 requests, for 1 to 4 s',
		},
		file: 'warmup',
		of: ({ warmupSeconds }) => warmupSeconds,
	}),
	...SIDE_OPTIONS,
	design: option(oneOf(DESIGNS), {
		placeholder: 'name',
		uses: {
			compare: { help: 'duet, alternating or sequential', default: 'duet' },
			baseline: { help: 'duet, alternating or sequential', default: 'duet' },
		},
		input: {
			name: 'design',
			description:
				'How a round loads base and head: `duet` (both at once), `alternating` (in turns) or `sequential` (first one, then the other).',
		},
		file: 'design',
		of: ({ design }) => design,
	}),
	rounds: option(wholeNumber(2, 1000), {
		placeholder: 'number',
		uses: {
			compare: { help: 'most rounds per cell', otherwise: 'planned from the budget, at least 20' },
			baseline: { help: 'most rounds per cell', otherwise: 'as many as the precision takes, up to 200' },
			measure: { help: 'most rounds of a row', otherwise: 'as many as the precision takes, up to 100' },
		},
		of: ({ rounds }) => rounds,
	}),
	seed: option(wholeNumber(0), {
		placeholder: 'number',
		uses: {
			compare: USES.seed,
			baseline: USES.seed,
			selftest: USES.seed,
			bisect: USES.seed,
			measure: USES.seed,
		},
		input: {
			name: 'seed',
			description:
				'Whole number that every random choice of the run is derived from. The same seed gives the same order.',
			empty: 'the value in the config, else a random one; every report prints it',
		},
		file: 'seed',
		of: ({ seed }) => seed,
	}),
	onInconclusive: option(oneOf(INCONCLUSIVE_POLICIES), {
		placeholder: 'policy',
		uses: {
			compare: {
				help: 'outcome when a row could not be decided: pass, fail or neutral',
				default: 'pass',
			},
		},
		input: {
			name: 'on-inconclusive',
			description: 'Result of a run that could not decide every row: `pass`, `neutral` or `fail`.',
		},
		file: 'gate.on-inconclusive',
		of: ({ gate }) => gate.onInconclusive,
	}),
	skipUnaffected: option(TRUTH, {
		placeholder: 'true|false',
		uses: {
			compare: {
				help: 'see first which code base runs, and do not measure rows that run no changed code',
				default: 'true',
				here: true,
			},
		},
		file: 'skip-unaffected',
		of: ({ skipUnaffected = true }) => skipUnaffected,
	}),
	...DRIFT_OPTIONS,
	...RUNTIME_OPTIONS,
	...LIMIT_OPTIONS,
	// No input or config key: a pull request could accept anything. No command repeats it: it is given anew.
	accept: option(ACCEPTED, {
		placeholder: 'rows',
		uses: { compare: { ...USES.accept, here: true }, gather: USES.accept },
	}),
	explain: option(oneOf(EXPLAIN_POLICIES), {
		placeholder: 'when',
		uses: {
			compare: {
				help: 'after the verdict, explain why rows changed: auto (when one regressed), never or always',
				default: 'auto',
				here: true,
			},
		},
		input: {
			name: 'explain',
			description:
				'After the verdict, explain why rows changed: `auto` (when one regressed), `never` or `always`. It counts what a request does on both sides, measures head without parts of the difference, and else samples both sides.',
		},
	}),
	explainBudget: option(DURATION, {
		placeholder: 'duration',
		uses: {
			compare: { help: 'longest time to spend on explaining', default: '5m', here: true },
			explain: { help: 'longest time to spend on explaining', default: '5m' },
		},
		input: {
			name: 'explain-budget',
			description: 'Longest time to spend on explaining, after `budget`, e.g. `2m`. Proofs need 40 seconds and more.',
		},
	}),
	prove: option(oneOf(EXPLAIN_POLICIES), {
		placeholder: 'when',
		uses: {
			compare: {
				help: 'while explaining, measure head without parts of the difference: auto (rows that regressed), never or always',
				default: 'never',
				here: true,
			},
			explain: {
				help: 'measure head without parts of the difference: auto (rows that regressed, or a single row), never or always',
				default: 'auto',
			},
		},
	}),
	profile: option(oneOf(EXPLAIN_POLICIES), {
		placeholder: 'when',
		uses: {
			compare: {
				help: 'while explaining, sample both sides (Node alone), 2 min a row: auto (rows that regressed without a proof), never or always',
				default: 'never',
				here: true,
			},
			explain: {
				help: 'sample both sides (Node alone), 2 min a row: auto (as --prove, where it proved nothing), never or always',
				default: 'auto',
			},
		},
	}),
	...SHARD_OPTIONS,
	node: option(pathOf('a path'), {
		placeholder: 'path',
		uses: {
			compare: { ...USES.node, here: true },
			baseline: USES.node,
			check: USES.node,
			selftest: { help: 'Node binary the servers run on', otherwise: 'the node on PATH' },
			bisect: { help: 'Node binary both commits run on', otherwise: 'the node on PATH' },
			measure: { help: 'Node binary the servers run on', otherwise: 'the node on PATH' },
		},
		input: {
			name: 'node',
			description: 'Path of the Node binary that runs the servers, the same for base and head.',
			empty: 'the first `node` on PATH, e.g. that of actions/setup-node',
		},
	}),
};
