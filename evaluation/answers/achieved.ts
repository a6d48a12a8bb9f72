/** Question 2: the effect of an injection on head, in the unit of its kind. */
import type { InjectionKind } from '../../src/inject/injection.ts';
import type { Design } from '../../src/types/config.ts';
import type { CellRound } from '../../src/types/round.ts';
import type { Side } from '../../src/types/units.ts';
import { meanOf } from '../replay/share.ts';
import type { Achieved } from '../results.ts';
import { roundsOf, type Series } from '../series.ts';
import { roundMean } from './round-mean.ts';
import { plannedRounds } from './turns.ts';

type Of = Achieved['of'];

const SHOWS_IN: Readonly<Record<InjectionKind, Of>> = {
	cpu: 'cpu-per-request',
	threadpool: 'cpu-per-request',
	wait: 'answer-time',
	lock: 'answer-time',
	allocation: 'memory-peak',
	leak: 'memory-peak',
	wrong: 'wrong-answers',
};

/** Only a side loaded alone shows how much waiting adds to an answer. */
const READ: Readonly<
	Record<Of, { readonly design: Design; readonly values: (series: Series, design: Design) => number[] }>
> = {
	'cpu-per-request': { design: 'duet', values: differences('cpu-per-request') },
	'memory-peak': { design: 'duet', values: differences('memory-peak') },
	'answer-time': { design: 'sequential', values: addedTimes },
	'wrong-answers': { design: 'duet', values: wrongShares },
};

/**
 * Returns the mean over rounds of the effect that an injection of `kind` had on head in `series`, or null if no round
 * can show it.
 */
export function achievedBy(kind: InjectionKind, series: Series): Achieved | null {
	const of = SHOWS_IN[kind];
	const { design, values } = READ[of];
	const numbers = values(series, design);
	return numbers.length === 0 ? null : { of, mean: meanOf(numbers) };
}

function differences(metric: 'cpu-per-request' | 'memory-peak') {
	return (series: Series, design: Design): number[] =>
		plannedRounds(series, design).flatMap(({ turns }) => roundMean(turns, metric) ?? []);
}

/** Microseconds: head's time of an answer minus base's. */
function addedTimes(series: Series, design: Design): number[] {
	return cellsOf(series, design).flatMap((cell) => {
		const [base, head] = [timeOfAnswer(cell, 'base'), timeOfAnswer(cell, 'head')];
		return base === null || head === null ? [] : head - base;
	});
}

function timeOfAnswer({ windows, design }: CellRound, side: Side): number | null {
	const sides = windows.flatMap((window) => (window.kind === design ? (window[side] ?? []) : []));
	const answers = sides.reduce((sum, { completed }) => sum + completed, 0);
	return answers === 0 ? null : (sides.reduce((sum, { seconds }) => sum + seconds, 0) / answers) * 1e6;
}

function wrongShares(series: Series, design: Design): number[] {
	return cellsOf(series, design).flatMap(({ windows }) => {
		const sum = (of: 'unexpected' | 'completed') => windows.reduce((total, { head }) => total + (head?.[of] ?? 0), 0);
		const completed = sum('completed');
		return completed === 0 ? [] : sum('unexpected') / completed;
	});
}

function cellsOf(series: Series, design: Design): readonly CellRound[] {
	return roundsOf(series, design).flatMap(({ cells }) => cells);
}
