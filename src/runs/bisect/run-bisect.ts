/** Steps of a bisect: list commits → load earlier results → measure until a commit is named and proven. */
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { answeredBy } from '../../config/answered-scenarios.ts';
import { withoutCounts } from '../../config/margins.ts';
import { buildEnvironment } from '../../prepare/build/build-environment.ts';
import { type CommitRange, listRange } from '../../prepare/revision/history.ts';
import { monotonicSeconds } from '../../process/deadline.ts';
import { drawBisect } from '../../report/bisect-picture.ts';
import { countOf, formatChange } from '../../text/numbers.ts';
import { writeRuntime } from '../../text/runtime-words.ts';
import type { BisectCommit, BisectResult } from '../../trend/bisect/bisect-result.ts';
import { BISECT_RULE, type BisectState, SAME_CODE_PRIOR } from '../../trend/bisect/bisect-state.ts';
import { findDoubts } from '../../trend/bisect/find-doubts.ts';
import type { Config } from '../../types/config.ts';
import { UserError } from '../../types/errors.ts';
import type { MetricName } from '../../types/metric.ts';
import type { Janitor, Progress } from '../../types/run-services.ts';
import { toolVersion } from '../../version.ts';
import { bisectLoop, type Probed, type Progressed } from './bisect-loop.ts';
import { type MeasureOptions, probeCommit, proveChange, type Target } from './measure-commits.ts';

/** The steps of each comparison would scroll the picture away. */
const SILENT: Progress = { step() {}, status() {} };

export interface BisectOptions {
	/** One server and one scenario; the budget is for the whole bisect. */
	readonly config: Config;
	readonly good: string;
	readonly bad: string;
	readonly cwd: string;
	readonly cacheFolder: string;
	readonly node: string;
	readonly reproduce: string;
	readonly withheld?: readonly string[];
	readonly janitor: Janitor;
	readonly progress: Progress;
	readonly signal: AbortSignal;
}

/**
 * Finds the first commit after `good` from which the row is slower, and reuses earlier measurements. Throws UserError
 * when good does not build or serve.
 */
export async function runBisect(asked: BisectOptions): Promise<BisectResult> {
	const options = { ...asked, config: withoutCounts(asked.config) };
	const { config, progress, signal } = options;
	const row = rowOf(config);
	const range = await findRange(options);
	const commits: BisectCommit[] = [{ sha: range.good.sha, title: '', author: '', committedAt: '' }, ...range.commits];
	const target: Target = { ...row, shas: commits.map(({ sha }) => sha) };
	const file = openBisectFile(join(options.cacheFolder, 'bisect'), {
		good: range.good.sha,
		bad: target.shas.at(-1) as string,
		...row,
		setup: setupOf(options),
	});
	const kept = await file.read();
	if (kept !== null)
		progress.step(`Going on with what ${file.path} has kept: ${countOf(kept.state.probes.length, 'probe')}`);
	const began = monotonicSeconds();
	const secondsLeft = () => config.budgetSeconds - (monotonicSeconds() - began);
	const measure: MeasureOptions = { ...options, progress: SILENT };
	const { known, posterior, ended } = await bisectLoop(kept ?? nothingKnown(range), {
		rule: BISECT_RULE,
		left: secondsLeft,
		signal,
		probe: async (commit, rounds, turn) => {
			const probed = await probeCommit(measure, target, { commit, rounds, turn });
			progress.step(`${nameOf(commits, commit)}  ${describeProbed(probed)}`);
			return probed;
		},
		prove: (before, after, theta) => {
			progress.step(`Proving it: ${nameOf(commits, before)} against ${nameOf(commits, after)}`);
			return proveChange(measure, target, { before, after, theta, budgetSeconds: secondsLeft() });
		},
		onStep: async (now, sofar, step) => {
			await file.write(now);
			progress.status(drawBisect(commits, now.state, sofar, step, secondsLeft()));
		},
	});
	return {
		row,
		commits,
		state: known.state,
		posterior,
		ended,
		proof: known.proof,
		reasons: known.reasons,
		doubts: findDoubts(known.state, posterior, (commit) => nameOf(commits, commit)),
		seconds: known.seconds,
		reproduce: options.reproduce,
	};
}

function rowOf(config: Config): { readonly cell: string; readonly metric: MetricName } {
	const cells = config.servers.flatMap((server) =>
		answeredBy(server, config.scenarios).map((scenario) => `${server.name}/${scenario.name}`),
	);
	const [cell, ...others] = cells;
	const metric = config.gate.metrics[0];
	if (cell !== undefined && others.length === 0 && metric !== undefined) return { cell, metric };
	throw new UserError({
		code: 'one-row',
		where: '--scenario',
		message:
			cells.length === 0
				? 'none of the servers answers the scenario'
				: `a bisect follows one row, and these are ${cells.length}: ${cells.join(', ')}`,
		remedy: 'name one server and one scenario: --server NAME --scenario NAME',
	});
}

function findRange(options: BisectOptions): Promise<CommitRange> {
	const { config, cwd, janitor, signal } = options;
	const context = { environment: buildEnvironment(options), janitor, signal };
	const folders = [config.subject, ...config.servers.flatMap((one) => (one.kind === 'custom' ? [one.cwd] : []))];
	return listRange(context, cwd, options, folders);
}

function nothingKnown({ commits }: CommitRange): Progressed {
	const state: BisectState = {
		count: commits.length,
		prior: commits.map(({ inert }) => (inert ? SAME_CODE_PRIOR : 1)),
		expected: null,
		...{ probes: [], broken: [], same: [], proofs: [] },
	};
	return { state, proof: null, reasons: {}, seconds: 0 };
}

/** Rounds of another Node, config or release cannot be compared. */
function setupOf({ config, node, cwd }: BisectOptions): string {
	const { subject, prepare, servers, scenarios, design, runtime } = config;
	const parts = [toolVersion(), node, cwd, subject, prepare ?? null, servers, scenarios, design];
	const all = runtime === undefined ? parts : [...parts, writeRuntime(runtime)];
	return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 16);
}

function nameOf(commits: readonly BisectCommit[], commit: number): string {
	return (commits[commit]?.sha ?? '').slice(0, 7);
}

function describeProbed(probed: Probed): string {
	if (probed.kind === 'same') return 'packs to the same code as good: not measured';
	if (probed.kind === 'broken') return `cannot be measured: ${probed.reason}`;
	const each = probed.d.map((value) => formatChange(Math.expm1(value))).join(', ');
	return `${each} against good`;
}

const BISECT_FILE_VERSION = 1;

interface BisectIdentity {
	readonly good: string;
	readonly bad: string;
	readonly cell: string;
	readonly metric: string;
	/** Hash of everything else that affects a measurement. */
	readonly setup: string;
}

interface BisectFile {
	readonly path: string;
	/** Null if nothing usable is stored. */
	read(): Promise<Progressed | null>;
	/** Writes atomically. */
	write(knowledge: Progressed): Promise<void>;
}

export function openBisectFile(folder: string, identity: BisectIdentity): BisectFile {
	const key = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16);
	const path = join(folder, `${key}.json`);
	return {
		path,
		async read() {
			const text = await readFile(path, 'utf8').catch(() => null);
			return text === null ? null : parse(text, identity);
		},
		async write(knowledge) {
			await mkdir(dirname(path), { recursive: true });
			const content = { kind: 'benchgate-bisect', version: BISECT_FILE_VERSION, identity, known: knowledge };
			await writeFileAtomic(path, `${JSON.stringify(content)}\n`);
		},
	};
}

/** Ignores files of others or of other releases. */
function parse(text: string, identity: BisectIdentity): Progressed | null {
	try {
		const { kind, version, identity: fileIdentity, known } = JSON.parse(text);
		const fits = kind === 'benchgate-bisect' && version === BISECT_FILE_VERSION;
		return fits && JSON.stringify(fileIdentity) === JSON.stringify(identity) ? (known as Progressed) : null;
	} catch {
		return null;
	}
}
