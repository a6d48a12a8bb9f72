/** What five published benchmark pages say, as docs/published/pages.json has it. */
import type { MetricName } from '../../src/types/metric.ts';

/** A figure of a page: requests per second, or another metric in whatever unit the page has it. */
export type PublishedFigure = {
	/** Names of the scenario and of the server that are the same here. */
	readonly scenario: string;
	readonly server: string;
} & ({ readonly requests: number } | { readonly metric: MetricName; readonly value: number });

/** Something about how a page was made that can make its ratios others than ours. */
export interface Artefact {
	readonly text: string;
	/** What it is about; everything when absent. */
	readonly scenarios?: readonly string[];
	readonly servers?: readonly string[];
	/** What it does to the ratios it is about, where that is known. */
	readonly effect?: Effect;
}

/** A ratio of the page is higher or lower than without it, or nearer to 1. */
export type Effect = 'higher' | 'lower' | 'nearer-1';

/** A page. */
export interface PublishedPage {
	/** What files and `--page` call it. */
	readonly id: string;
	readonly name: string;
	/** Where its code or its data are; absent where nobody says. */
	readonly source?: string;
	/** Preset with its load. */
	readonly preset: string;
	/** Another preset, with the load of the rest of its figures. */
	readonly also?: string;
	/** Why nobody can measure its ratios on its version of Node; absent where everybody can. */
	readonly notOnItsNode?: string;
	/** What it was measured on and how, in words. */
	readonly machine: string;
	/** Servers whose ratio is given: the first divided by the second. */
	readonly pairs: readonly (readonly [server: string, of: string])[];
	/** Scenarios whose ratio is given for every server that has both. */
	readonly scenarioPairs?: readonly (readonly [scenario: string, of: string])[];
	readonly figures: readonly PublishedFigure[];
	readonly artefacts: readonly Artefact[];
	/** What else there is to know; no reason for a ratio to be another one. */
	readonly notes?: readonly string[];
}

/** One figure over another. */
export interface RatioKey {
	readonly metric: MetricName;
	readonly scenario: string;
	readonly server: string;
	/** Server and scenario that it is divided by: one of them is the same. */
	readonly of: string;
	readonly ofScenario: string;
}

/** One ratio of a page. */
export interface PublishedRatio extends RatioKey {
	readonly ratio: number;
	/** What may make it another one. */
	readonly artefacts: readonly NumberedArtefact[];
}

/** An artefact with its number on the page, from 1. */
export interface NumberedArtefact {
	readonly number: number;
	readonly effect: Effect | null;
}

/** Returns whether an artefact makes a published ratio differ in the way in which it does differ from `ours`. */
export function explains(effect: Effect | null, published: number, ours: number): boolean {
	switch (effect) {
		case 'higher':
			return published > ours;
		case 'lower':
			return published < ours;
		case 'nearer-1':
			return Math.abs(Math.log(published)) < Math.abs(Math.log(ours));
		case null:
			return false;
	}
}

/** Returns the metric of a figure, and its number. */
export function readFigure(figure: PublishedFigure): { readonly metric: MetricName; readonly value: number } {
	return 'requests' in figure ? { metric: 'throughput', value: figure.requests } : figure;
}

/** Returns the ratios of a page that can be made from its figures: of two servers in the order of scenarios, then of two scenarios. */
export function publishedRatios(page: PublishedPage): readonly PublishedRatio[] {
	const { figures, pairs, scenarioPairs = [], artefacts } = page;
	const find = (metric: MetricName, scenario: string, server: string): number | undefined => {
		const found = figures.find(
			(one) => one.scenario === scenario && one.server === server && readFigure(one).metric === metric,
		);
		return found && readFigure(found).value;
	};
	const ratioAt = (key: RatioKey): PublishedRatio[] => {
		const { metric, scenario, server, of, ofScenario } = key;
		const [own, other] = [find(metric, scenario, server), find(metric, ofScenario, of)];
		if (own === undefined || other === undefined) return [];
		const about = artefacts.flatMap(({ scenarios: only, servers, effect = null }, at) =>
			(only?.includes(scenario) ?? true) && (servers?.some((one) => one === server || one === of) ?? true)
				? [{ number: at + 1, effect }]
				: [],
		);
		return [{ ...key, ratio: own / other, artefacts: about }];
	};
	const groups = Map.groupBy(figures, (one) => JSON.stringify([one.scenario, readFigure(one).metric]));
	const servers = [...new Set(figures.map(({ server }) => server))];
	return [
		...[...groups.values()].flatMap(([first]) => {
			if (first === undefined) return [];
			const [{ scenario }, { metric }] = [first, readFigure(first)];
			return pairs.flatMap(([server, of]) => ratioAt({ metric, scenario, server, of, ofScenario: scenario }));
		}),
		...scenarioPairs.flatMap(([scenario, ofScenario]) =>
			servers.flatMap((server) => ratioAt({ metric: 'throughput', scenario, server, of: server, ofScenario })),
		),
	];
}
