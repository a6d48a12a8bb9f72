/** What five published benchmark pages say, as docs/published/pages.json has it. */

/** A figure of a page, in requests per second. */
export interface PublishedFigure {
	/** Names of the scenario and of the server that are the same here. */
	readonly scenario: string;
	readonly server: string;
	readonly requests: number;
}

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
	readonly name: string;
	/** Where its code or its data are; absent where nobody says. */
	readonly source?: string;
	/** Preset with its load. */
	readonly preset: string;
	/** What it was measured on and how, in words. */
	readonly machine: string;
	/** Servers whose ratio is given: the first divided by the second. */
	readonly pairs: readonly (readonly [server: string, of: string])[];
	readonly figures: readonly PublishedFigure[];
	readonly artefacts: readonly Artefact[];
}

/** One ratio of a page. */
export interface PublishedRatio {
	readonly scenario: string;
	readonly server: string;
	readonly of: string;
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

/** Returns the ratios of a page that can be made from its figures, in the order of its scenarios and pairs. */
export function publishedRatios({ figures, pairs, artefacts }: PublishedPage): readonly PublishedRatio[] {
	const find = (scenario: string, server: string) =>
		figures.find((figure) => figure.scenario === scenario && figure.server === server)?.requests;
	const scenarios = [...new Set(figures.map(({ scenario }) => scenario))];
	return scenarios.flatMap((scenario) =>
		pairs.flatMap(([server, of]) => {
			const [own, other] = [find(scenario, server), find(scenario, of)];
			if (own === undefined || other === undefined) return [];
			const about = artefacts.flatMap(({ scenarios: only, servers, effect = null }, at) =>
				(only?.includes(scenario) ?? true) && (servers?.some((one) => one === server || one === of) ?? true)
					? [{ number: at + 1, effect }]
					: [],
			);
			return [{ scenario, server, of, ratio: own / other, artefacts: about }];
		}),
	);
}
