/** Findings of `benchgate check` on the machine. */
import { availableParallelism } from 'node:os';
import type { Affinity } from '../../measure/affinity.ts';
import { describeEnvironment } from '../../measure/machine.ts';
import { countOf, formatPair } from '../../text/numbers.ts';
import type { Config } from '../../types/config.ts';
import type { Finding } from '../../types/finding.ts';
import type { Isolation, IsolationLevel } from '../../types/isolation.ts';
import type { Environment } from '../../types/result.ts';
import { askedRuntime, type RuntimeWishes } from '../../types/runtime.ts';
import { type Bytes, SIDES } from '../../types/units.ts';
import { isolationWarnings } from '../open-sides.ts';

/** Above this load, other programs make rounds noisy. */
const BUSY_LOAD = 1;

export interface MachineFacts {
	readonly environment: Pick<Environment, 'cpus' | 'memoryBytes' | 'node' | 'loadAverage'>;
	readonly affinity: Pick<Affinity, 'pinned' | 'note' | 'warnings'>;
	/** CPU limit of the control group. */
	readonly usableCpus: number;
	/** Memory limit of the control group. */
	readonly memoryLimit: Bytes | null;
}

/** Reads this machine; `node` runs the servers on `affinity`. */
export function readMachine(node: string, affinity: Affinity): MachineFacts {
	const environment = describeEnvironment(affinity, node);
	// Without a limit it is 0, or more than all memory.
	const limit = process.constrainedMemory();
	return {
		environment,
		affinity,
		usableCpus: availableParallelism(),
		memoryLimit: limit > 0 && limit < environment.memoryBytes ? limit : null,
	};
}

/** Describes the machine and reasons for noise; names the servers' Node unless `wishes` asks for another runtime. */
export function describeMachine(
	{ environment, affinity, usableCpus, memoryLimit }: MachineFacts,
	wishes: RuntimeWishes = {},
): readonly Finding[] {
	const { cpus, memoryBytes, node, loadAverage } = environment;
	const limited = memoryLimit === null ? '' : `, of which ${inMemory(memoryLimit)} may be used`;
	// Another runtime has its own finding.
	const serves = SIDES.every((side) => askedRuntime(wishes, side) === undefined) ? `, servers run on Node ${node}` : '';
	const findings: Finding[] = [
		{
			kind: 'ok',
			about: 'machine',
			text: `${countOf(cpus, 'CPU')}, ${inMemory(memoryBytes)} of memory${limited}${serves}`,
		},
		affinity.pinned
			? { kind: 'ok', about: 'machine', text: affinity.note }
			: {
					kind: 'note',
					about: 'machine',
					text: affinity.note,
					remedy: 'give it two CPUs and the command taskset (util-linux), or expect to need a longer budget',
				},
		...affinity.warnings.map(({ message }) => noteOf(message.replace(/\.$/, ''))),
	];
	if (affinity.pinned && usableCpus < 2) {
		findings.push(
			noteOf(
				'the container may use the time of one CPU only, which servers and load generator share',
				'allow it the time of two CPUs, e.g. docker run --cpus 2',
			),
		);
	}
	if (loadAverage >= BUSY_LOAD) {
		findings.push(
			noteOf(
				`other programs keep the machine busy (load average ${loadAverage}), which makes results noisier`,
				'end them, or measure later',
			),
		);
	}
	return findings;
}

const WHO: Readonly<Record<IsolationLevel, string>> = {
	users: 'base and head each run as a user of their own',
	namespace: 'base and head run behind namespaces, as your user',
	none: 'base and head run as your user, and can reach each other and everything that you can',
};

export function describeIsolation(config: Pick<Config, 'isolation'>, isolation: Isolation): Finding {
	const less = isolationWarnings(config, isolation).length > 0 ? isolation.reason : null;
	const text = `${isolation.level}: ${WHO[isolation.level]}`;
	if (less === null) return { kind: 'ok', about: 'isolation', text };
	return { kind: 'note', about: 'isolation', text: `${text}. More isolation is not possible here: ${less}` };
}

function inMemory(bytes: Bytes): string {
	const { base, unit } = formatPair(bytes / 1e6, null, 'MB');
	return `${base} ${unit}`;
}

function noteOf(text: string, remedy?: string): Finding {
	return { kind: 'note', about: 'machine', text, ...(remedy && { remedy }) };
}
