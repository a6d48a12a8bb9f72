import type { Config, CustomServer } from '../types/config.ts';
import type { ALWAYS_MEASURED } from '../types/impact.ts';
import type { MetricName } from '../types/metric.ts';
import type { Cell } from '../types/plan.ts';

/** Returns why a cell is measured whatever its coverage, or null. */
export function whyAlways(
	{ server, scenario, metrics }: Cell,
	{ config, runtimes }: { readonly config: Config; readonly runtimes?: unknown },
): (typeof ALWAYS_MEASURED)[number] | null {
	const { workers, inProcess } = config.scenarios.find(({ name }) => name === scenario) ?? {};
	const spec = config.servers.find(({ name }) => name === server);
	if (runtimes !== undefined) return 'runtime';
	if (metrics !== undefined || !config.gate.metrics.every(isOfLoad)) return 'metric';
	if (spec?.kind === 'custom' && !isPlainNode(spec)) return 'command';
	if (workers !== undefined) return 'workers';
	return inProcess ? 'in-process' : null;
}

/** A shell, another program, or a flag such as `--env-file` may read changed files unseen. */
const PLAIN = /^node(?: +(?:--(?:import|require)[= ]|-r )?[\w./:@%+,=][\w./:@%+,=-]*)+ *$/;

/** They may lead Node, or the loader of programs, to other files. */
const LEADING = /^(?:NODE_.*|PATH|LD_.*|DYLD_.*)$/;

function isPlainNode({ command, start, stop, env }: CustomServer): boolean {
	if (start !== undefined || stop !== undefined) return false;
	return PLAIN.test(command) && !Object.keys(env).some((name) => LEADING.test(name));
}

function isOfLoad(metric: MetricName): boolean {
	return metric === 'throughput' || metric === 'cpu-per-request' || metric.startsWith('latency-');
}
