import { DRIVERS, OTHER_DRIVERS, OWN_DRIVER } from '../../types/ranking/ranking-setup.ts';
import { REFERENCE_SERVER } from '../../types/shared-names.ts';
import type { Seconds } from '../../types/units.ts';
import { PRESET_NAMES } from '../ranking/presets.ts';
import { option } from './option-entry.ts';
import { DURATION, NAMES, oneOf, PAIRS, pathOf, STEPS, wholeNumber } from './option-kinds.ts';

/** Default time per server and round. Pages may have their own. */
export const COUNTED_SECONDS: Seconds = 2;

/** Package versions with a preset. */
const PAGE_VERSIONS = ['page', 'pinned'] as const;

export const MEASURE_OPTIONS = {
	preset: option(oneOf(PRESET_NAMES), {
		placeholder: 'name',
		uses: {
			measure: { help: 'load, servers and order of a published page: seed-ergo, seed-blog, …', otherwise: 'none' },
		},
	}),
	reference: option(pathOf('a server'), {
		placeholder: 'name',
		uses: { measure: { help: 'server that all others are measured with, in turn', default: REFERENCE_SERVER } },
	}),
	trials: option(wholeNumber(1, 1000), {
		placeholder: 'number',
		uses: {
			measure: { help: 'exactly this many rounds of every row', otherwise: 'as many as the precision takes' },
		},
	}),
	connections: option(wholeNumber(1, 10_000), {
		placeholder: 'number',
		uses: { measure: { help: 'open connections of each server', otherwise: 'as in the scenario' } },
	}),
	ramp: option(STEPS, {
		placeholder: 'numbers',
		uses: {
			measure: {
				help: 'numbers of connections to measure every scenario with: 10,50,100,200,500',
				otherwise: 'none',
			},
		},
	}),
	pipelining: option(wholeNumber(1, 1000), {
		placeholder: 'number',
		uses: { measure: { help: 'requests in flight on a connection', otherwise: 'as in the scenario' } },
	}),
	rate: option(wholeNumber(1, 1_000_000), {
		placeholder: 'number',
		uses: {
			measure: {
				help: 'requests a second that each server is sent, however fast it answers: for latency below saturation',
				otherwise: 'as many as it answers',
			},
		},
	}),
	duration: option(DURATION, {
		placeholder: 'duration',
		uses: {
			measure: {
				help: 'how long each server is measured in a round',
				otherwise: `${COUNTED_SECONDS}s, with a preset as on its page`,
			},
		},
	}),
	driver: option(oneOf(DRIVERS), {
		placeholder: 'name',
		uses: {
			measure: {
				help: `program that loads the servers of a preset: ${OTHER_DRIVERS.join(', ')}, where it is installed`,
				default: OWN_DRIVER,
			},
		},
	}),
	versions: option(oneOf(PAGE_VERSIONS), {
		placeholder: 'word',
		uses: {
			measure: {
				help: 'with a preset: packages in the versions of its page, or those that benchgate pins',
				default: PAGE_VERSIONS[0],
			},
		},
	}),
	vitals: option(oneOf(['none', 'node']), {
		placeholder: 'word',
		uses: {
			measure: {
				help: 'node: also report garbage collection and event loop of servers on Node; some presets include it',
				default: 'none',
			},
		},
	}),
	highlight: option(pathOf('a server'), {
		placeholder: 'name',
		uses: { measure: { help: 'server that gets a section of its own', otherwise: 'none' } },
	}),
	percentOf: option(NAMES, {
		placeholder: 'names',
		uses: { measure: { help: 'servers, besides the reference, to give shares of as well', otherwise: 'none' } },
	}),
	wraps: option(PAIRS, {
		placeholder: 'pairs',
		uses: {
			measure: { help: 'wrappers and their hosts, to report the overhead: mine=express,other=koa', otherwise: 'none' },
		},
	}),
};
