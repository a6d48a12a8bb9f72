import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { injectHead } from '../inject/inject-sides.ts';
import { timingFor } from '../plan/timing.ts';
import type { Config } from '../types/config.ts';
import type { Prepared } from '../types/prepared.ts';
import type { Janitor } from '../types/run-services.ts';
import type { Fraction, Warning } from '../types/units.ts';
import { type Affinity, findAffinity } from './affinity.ts';
import { startGenerator } from './generator-process.ts';
import type { Laboratory } from './laboratory.ts';
import { createLaboratory } from './real-laboratory.ts';

/** Where trials are measured: one generator for all of them, and a laboratory for each. */
export interface Bench {
	readonly affinity: Affinity;
	/** A laboratory whose head uses more CPU time, a fraction of each request's own; base carries the same without effect. */
	laboratory(amount: Fraction): Laboratory;
	/** What all laboratories have noticed, each thing once. */
	warnings(): Warning[];
	close(): Promise<void>;
}

export interface BenchOptions {
	readonly config: Config;
	readonly cacheFolder: string;
	readonly node: string;
	readonly janitor: Janitor;
	readonly signal: AbortSignal;
}

/** Starts the generator and returns the bench. */
export async function openBench(prepared: Prepared, options: BenchOptions): Promise<Bench> {
	const { config, node, janitor, signal } = options;
	const affinity = findAffinity();
	const logFolder = join(options.cacheFolder, 'logs');
	mkdirSync(logFolder, { recursive: true });
	const generator = await startGenerator(affinity, janitor);
	const startedAt = Date.now();
	const laboratories: Laboratory[] = [];
	return {
		affinity,
		laboratory(amount) {
			const laboratory = createLaboratory({
				config,
				prepared: injectHead(prepared, { kind: 'cpu', amount, every: 1 }),
				timing: timingFor,
				generator,
				start: { affinity, janitor, node, logFolder, signal },
				startedAt,
			});
			laboratories.push(laboratory);
			return laboratory;
		},
		warnings() {
			const all = laboratories.flatMap((laboratory) => laboratory.warnings());
			return [...new Map(all.map((warning) => [warning.message, warning])).values()];
		},
		close: () => generator.close(),
	};
}
