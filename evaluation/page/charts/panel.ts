import * as Plot from '@observablehq/plot';

/** One of several charts that are read side by side. */
export interface Panel {
	/** Plain text. */
	readonly title: string;
	readonly draw: (width: number) => Element;
}

export const GRID = { stroke: 'var(--line)', strokeOpacity: 1 } as const;

/** Returns the mark of a horizontal or vertical axis' zero. */
export function zeroLines(): Plot.Markish[] {
	const style = { stroke: 'var(--text)', strokeOpacity: 0.6 };
	return [Plot.ruleX([0], style), Plot.ruleY([0], style)];
}
