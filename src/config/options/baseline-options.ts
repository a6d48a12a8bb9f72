/** The parts of the table of options that only a baseline or a bisect takes. */
import { DRIFT_POLICIES } from '../../types/config.ts';
import { oneOf, PERCENTAGE, REVISION } from '../option-kinds.ts';
import { option } from './option-entry.ts';

export const BASELINE_OPTIONS = {
	anchor: option(REVISION, {
		placeholder: 'revision',
		uses: {
			baseline: { help: 'what it is measured against: a revision, or auto, the latest release', default: 'auto' },
		},
		input: {
			name: 'anchor',
			description:
				'In mode `baseline`: what the branch is measured against, a revision in the same forms as `base`, or `auto`, the latest release.',
		},
	}),
	precision: option(PERCENTAGE, {
		placeholder: 'percentage',
		uses: { baseline: { help: 'rounds end when every standard error is as small as this', default: '0.8%' } },
		input: {
			name: 'precision',
			description:
				'In mode `baseline`: measuring ends when the standard error of every row is as small as this percentage, or the budget is spent.',
		},
	}),
	drift: option(oneOf(DRIFT_POLICIES), {
		placeholder: 'policy',
		uses: {
			baseline: { help: 'whether to fail when the branch has drifted: advisory or enforce', default: 'advisory' },
		},
		input: {
			name: 'drift',
			description:
				'Whether a branch that has become slower than its anchor by `drift-threshold` fails the run: `enforce`, or `advisory`, which only tells.',
		},
	}),
	driftThreshold: option(PERCENTAGE, {
		placeholder: 'percentage',
		uses: {
			baseline: { help: 'a drop since the anchor of more than this is drift', otherwise: 'twice the threshold' },
		},
		input: {
			name: 'drift-threshold',
			description: 'A drop of the branch since its anchor of more than this percentage is drift, e.g. `10%`.',
			empty: 'twice the threshold',
		},
	}),
};

/** What only a bisect takes. */
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
