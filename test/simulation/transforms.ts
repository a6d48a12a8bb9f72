import type { Round, Window, WindowSide } from '../../src/types/round.ts';

/** Returns the rounds with base and head exchanged. */
export function swapSides(rounds: readonly Round[]): Round[] {
	return mapWindows(rounds, (window) => ({ ...window, base: window.head, head: window.base }));
}

/** Returns the rounds with `factor` times the answers on both sides: a faster machine. */
export function scaleRates(rounds: readonly Round[], factor: number): Round[] {
	return mapSides(rounds, (side) => ({ ...side, completed: side.completed * factor }));
}

/** Returns the rounds with every time multiplied by `factor`: the same clock in another unit. */
export function scaleTime(rounds: readonly Round[], factor: number): Round[] {
	const sides = mapSides(rounds, (side) => ({
		...side,
		seconds: side.seconds * factor,
		cpuSeconds: side.cpuSeconds === null ? null : side.cpuSeconds * factor,
		latency: side.latency.map(([micros, count]) => [micros * factor, count] as const),
	}));
	return mapWindows(sides, (window) => ({
		...window,
		startedAt: window.startedAt * factor,
		generatorCpuSeconds: window.generatorCpuSeconds * factor,
		serverCpuIdle: window.serverCpuIdle === null ? null : window.serverCpuIdle * factor,
	})).map((round) => ({ ...round, seconds: round.seconds * factor, loadSeconds: round.loadSeconds * factor }));
}

/** Returns the rounds with every side of every window changed by `change`. */
export function mapSides(rounds: readonly Round[], change: (side: WindowSide) => WindowSide): Round[] {
	return mapWindows(rounds, (window) => ({
		...window,
		base: window.base && change(window.base),
		head: window.head && change(window.head),
	}));
}

function mapWindows(rounds: readonly Round[], change: (window: Window) => Window): Round[] {
	return rounds.map((round) => ({
		...round,
		cells: round.cells.map((cellRound) => ({
			...cellRound,
			windows: cellRound.windows.map(change),
		})),
	}));
}
