import type { TimingCost } from '../results.ts';

export interface TimingGroup {
	readonly server: string;
	readonly scenariosPerProcess: number;
	readonly choices: readonly TimingCost[];
}

/** Returns groups of comparable choices: those of one server and number of scenarios per process. */
export function groupTiming(timing: readonly TimingCost[]): TimingGroup[] {
	const groups = Map.groupBy(timing, ({ server, scenariosPerProcess }) => `${server} ${scenariosPerProcess}`);
	return [...groups.values()].flatMap((choices) => {
		const [first] = choices;
		return first ? [{ server: first.server, scenariosPerProcess: first.scenariosPerProcess, choices }] : [];
	});
}
