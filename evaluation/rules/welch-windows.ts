import { onePairRule } from './one-pair.ts';
import { sampleOf, welch } from './welch.ts';

const ALPHA = 0.05;

/**
 * Welch's t-test over the windows of one process of each side, red when p < 0.05 and head's mean is lower. Windows of
 * one process share its luck (layout, compilation), which the test takes for a difference between the sides. Node
 * documents histogram.welchTest() for comparing rates in this way. It uses all windows of the run.
 */
export const welchWindows = onePairRule(
	{
		rule: 'welch-windows',
		title: 'Welch’s t over the windows of one process each, p < 0.05',
		reference: 'https://nodejs.org/api/perf_hooks.html',
	},
	(base, head) => {
		const { t, p } = welch(sampleOf(base.rates), sampleOf(head.rates));
		return p < ALPHA && t < 0;
	},
);
