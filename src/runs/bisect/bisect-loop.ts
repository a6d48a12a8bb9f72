/** Loop of a bisect: measure the most informative commit → update the posterior → prove. */
import type { BisectEnd, ProofFigures } from '../../trend/bisect/bisect-result.ts';
import { type BisectRule, type BisectState, type Posterior, pooledProbes } from '../../trend/bisect/bisect-state.ts';
import { costOf } from '../../trend/bisect/choose-probe.ts';
import { type BisectStep, nextStep } from '../../trend/bisect/next-step.ts';
import { posteriorOf } from '../../trend/bisect/posterior.ts';
import type { Seconds } from '../../types/units.ts';

export type Probed =
	| {
			readonly kind: 'rounds';
			readonly d: readonly number[];
			readonly seconds: Seconds;
			readonly buildSeconds: Seconds;
	  }
	/** The commit packs to the same code as good. */
	| { readonly kind: 'same' }
	/** The commit does not build or serve. */
	| { readonly kind: 'broken'; readonly reason: string };

export interface Proven {
	readonly d: readonly number[];
	readonly outcome: 'shown' | 'refuted' | 'open';
	readonly figures: ProofFigures;
	readonly seconds: Seconds;
}

export interface Progressed {
	readonly state: BisectState;
	readonly proof: ProofFigures | null;
	readonly reasons: Readonly<Record<number, string>>;
	readonly seconds: Seconds;
}

export interface LoopContext {
	readonly rule: BisectRule;
	/** `turn` counts the probes of this commit. */
	readonly probe: (commit: number, rounds: number, turn: number) => Promise<Probed>;
	readonly prove: (before: number, after: number, theta: number) => Promise<Proven>;
	readonly left: () => Seconds;
	readonly signal: AbortSignal;
	/** Called before each step, never under load, so a kill loses nothing. */
	readonly onStep: (knowledge: Progressed, posterior: Posterior, step: BisectStep) => Promise<void>;
}

/** Typical number of rounds in a proof. */
const PROOF_ROUNDS = 12;

export async function bisectLoop(
	knowledge: Progressed,
	context: LoopContext,
): Promise<{ readonly known: Progressed; readonly posterior: Posterior; readonly ended: BisectEnd }> {
	const { rule, signal } = context;
	for (let now = knowledge; ; ) {
		const posterior = posteriorOf(now.state, rule);
		const step = nextStep(now.state, posterior, rule);
		await context.onStep(now, posterior, step);
		if (step.kind !== 'probe' && step.kind !== 'prove') return { known: now, posterior, ended: step };
		if (signal.aborted) return { known: now, posterior, ended: { kind: 'interrupted' } };
		if (expectedSeconds(now.state, rule, step) > context.left()) {
			return { known: now, posterior, ended: { kind: 'budget' } };
		}
		try {
			now = step.kind === 'probe' ? await probe(now, step.commit, context) : await prove(now, step, posterior, context);
		} catch (error) {
			if (signal.aborted) return { known: now, posterior, ended: { kind: 'interrupted' } };
			throw error;
		}
	}
}

function expectedSeconds(state: BisectState, rule: BisectRule, step: BisectStep): Seconds {
	const cost = costOf(state, rule);
	if (step.kind === 'probe') return cost(step.commit);
	const [first = 0] = state.probes.map(({ commit }) => commit);
	return (cost(first) / rule.rounds) * PROOF_ROUNDS;
}

async function probe(
	knowledge: Progressed,
	commit: number,
	{ rule, probe: measure }: LoopContext,
): Promise<Progressed> {
	const { state } = knowledge;
	const turn = state.probes.filter((one) => one.commit === commit).length;
	const probed = await measure(commit, rule.rounds, turn);
	switch (probed.kind) {
		case 'same':
			return { ...knowledge, state: { ...state, same: [...state.same, commit] } };
		case 'broken': {
			// Earlier rounds are kept, and no more follow.
			const reasons = { ...knowledge.reasons, [commit]: probed.reason };
			return { ...knowledge, reasons, state: { ...state, broken: [...state.broken, commit] } };
		}
		case 'rounds': {
			const { d, seconds, buildSeconds } = probed;
			const isBuilt = pooledProbes(state).has(commit);
			const done = { commit, d, seconds, buildSeconds: isBuilt ? 0 : buildSeconds };
			const probes = [...state.probes, done];
			return { ...knowledge, seconds: knowledge.seconds + seconds + buildSeconds, state: { ...state, probes } };
		}
	}
}

async function prove(
	knowledge: Progressed,
	{ span }: Extract<BisectStep, { kind: 'prove' }>,
	{ theta }: Posterior,
	context: LoopContext,
): Promise<Progressed> {
	const { d, outcome, figures, seconds } = await context.prove(span.before, span.after, theta);
	const proofs = [...knowledge.state.proofs, { before: span.before, after: span.after, d, outcome }];
	return { ...knowledge, proof: figures, seconds: knowledge.seconds + seconds, state: { ...knowledge.state, proofs } };
}
