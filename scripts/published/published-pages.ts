/** The figures of five published benchmark pages, as in docs/published/pages.json. */
import type { MetricName } from '../../src/types/metric.ts';

/** A figure of a page: requests per second, or another metric in the page's unit. */
export type PublishedFigure = {
	/** Our scenario and server that match. */
	readonly scenario: string;
	readonly server: string;
} & ({ readonly requests: number } | { readonly metric: MetricName; readonly value: number });

/** A property of how a page was made that can change its ratios. */
export interface Artefact {
	readonly text: string;
	/** Scenarios that it affects; all when absent. */
	readonly scenarios?: readonly string[];
	readonly servers?: readonly string[];
	/** Its effect on these ratios, if known. */
	readonly effect?: Effect;
}

/** It makes a ratio higher, lower or nearer to 1. */
export type Effect = 'higher' | 'lower' | 'nearer-1';

export interface PublishedPage {
	/** Its name in files and in `--page`. */
	readonly id: string;
	readonly name: string;
	/** Where its code or data are, if published. */
	readonly source?: string;
	/** Preset with its load. */
	readonly preset: string;
	/** Another preset, with the load of its other figures. */
	readonly also?: string;
	/** Why its ratios cannot be measured on its version of Node; absent if they can. */
	readonly notOnItsNode?: string;
	/** Machine and method, in words. */
	readonly machine: string;
	/** Pairs of servers: the ratio is the first divided by the second. */
	readonly pairs: readonly (readonly [server: string, of: string])[];
	/** Pairs of scenarios: a ratio for every server that has both. */
	readonly scenarioPairs?: readonly (readonly [scenario: string, of: string])[];
	readonly figures: readonly PublishedFigure[];
	readonly artefacts: readonly Artefact[];
	/** Other remarks, which explain no difference. */
	readonly notes?: readonly string[];
}

/** One figure divided by another. */
export interface RatioKey {
	readonly metric: MetricName;
	readonly scenario: string;
	readonly server: string;
	/** Server and scenario of the divisor; one of them equals that of the dividend. */
	readonly of: string;
	readonly ofScenario: string;
}

/** One ratio of a page. */
export interface PublishedRatio extends RatioKey {
	readonly ratio: number;
	/** Artefacts that may change it. */
	readonly artefacts: readonly NumberedArtefact[];
}

/** An artefact with its number on the page, from 1. */
export interface NumberedArtefact {
	readonly number: number;
	readonly effect: Effect | null;
}

/** Returns whether an artefact explains the direction in which a published ratio differs from `ours`. */
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

/** Returns the metric and number of a figure. */
export function readFigure(figure: PublishedFigure): { readonly metric: MetricName; readonly value: number } {
	return 'requests' in figure ? { metric: 'throughput', value: figure.requests } : figure;
}

/**
 * Returns the ratios that a page's figures give: first pairs of servers in the order of scenarios, then pairs of
 * scenarios.
 */
export function publishedRatios(page: PublishedPage): readonly PublishedRatio[] {
	const { figures, pairs, scenarioPairs = [], artefacts } = page;
	const find = (metric: MetricName, scenario: string, server: string): number | undefined => {
		const figure = figures.find(
			(one) => one.scenario === scenario && one.server === server && readFigure(one).metric === metric,
		);
		return figure && readFigure(figure).value;
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
