import { DRIFT_POLICIES } from '../../types/config.ts';
import { option } from './option-entry.ts';
import { oneOf, PERCENTAGE, REVISION } from './option-kinds.ts';

export const BASELINE_OPTIONS = {
	anchor: option(REVISION, {
		placeholder: 'revision',
		uses: {
			baseline: { help: 'revision to measure against, or auto, the latest release', default: 'auto' },
		},
		input: {
			name: 'anchor',
			description:
				'In mode `baseline`: what the branch is measured against, a revision in the same forms as `base`, or `auto`, the latest release.',
		},
	}),
	precision: option(PERCENTAGE, {
		placeholder: 'percentage',
		uses: {
			baseline: { help: 'rounds end when every standard error is as small as this', default: '0.8%' },
			measure: { help: 'rounds end when every 95 % interval reaches no further than this', default: '4%' },
		},
		input: {
			name: 'precision',
			description:
				'In mode `baseline`: measuring ends when the standard error of every row is as small as this percentage, or the budget is spent.',
		},
	}),
};

/** Options of baselines, and of comparisons before a merge. */
export const DRIFT_OPTIONS = {
	drift: option(oneOf(DRIFT_POLICIES), {
		placeholder: 'policy',
		uses: {
			compare: { help: 'whether to fail when head adds to drift of main: advisory or enforce', default: 'advisory' },
			baseline: { help: 'whether to fail when the branch has drifted: advisory or enforce', default: 'advisory' },
		},
		input: {
			name: 'drift',
			description:
				'Whether drift of the main branch fails a run: `enforce`, or `advisory`, which only reports it. Drift is a drop since the anchor of `drift-threshold` or more. A pull request fails only for a row in which it is surely slower itself.',
		},
		file: 'gate.drift',
		of: ({ gate }) => gate.drift,
	}),
	driftThreshold: option(PERCENTAGE, {
		placeholder: 'percentage',
		uses: {
			compare: { help: 'a drop since the anchor of this or more is drift', otherwise: 'twice the threshold' },
			baseline: { help: 'a drop since the anchor of this or more is drift', otherwise: 'twice the threshold' },
		},
		input: {
			name: 'drift-threshold',
			description: 'A drop of the main branch since its anchor of this percentage or more is drift, e.g. `10%`.',
		},
		file: 'gate.drift-threshold',
		of: ({ gate }) => gate.driftThreshold,
	}),
};

export const BISECT_OPTIONS = {
	good: option(REVISION, {
		placeholder: 'commit',
		uses: { bisect: { help: 'commit, branch or tag that was fast', required: true } },
		input: {
			name: 'good',
			description: 'In mode `bisect`: a commit, branch or tag that was fast.',
			empty: 'that nothing is bisected',
		},
	}),
	bad: option(REVISION, {
		placeholder: 'commit',
		uses: { bisect: { help: 'a later one of the same branch that is slow', required: true } },
		input: {
			name: 'bad',
			description: 'In mode `bisect`: a later commit of the same branch that is slow.',
			empty: 'that nothing is bisected',
		},
	}),
};
