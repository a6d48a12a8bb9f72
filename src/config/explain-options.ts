import type { ExplainOptions } from '../types/explain.ts';
import { type OptionTexts, withDefaults } from './option-names.ts';
import { OPTIONS } from './options.ts';

/** The syntax of the texts is already checked. */
export function explainOptionsOf(texts: OptionTexts): ExplainOptions {
	const { explain = '', explainBudget = '', prove = '', profile = '' } = { ...withDefaults('compare', texts) };
	return {
		policy: OPTIONS.explain.kind.parse(explain) ?? 'auto',
		budgetSeconds: OPTIONS.explainBudget.kind.parse(explainBudget) ?? 0,
		prove: OPTIONS.prove.kind.parse(prove) ?? 'auto',
		profile: OPTIONS.profile.kind.parse(profile) ?? 'auto',
	};
}

/** Returns the texts that differ from the defaults of `compare`, for the command that repeats a run. */
export function explainTextsOf(texts: OptionTexts): OptionTexts {
	const defaults = withDefaults('compare', {});
	const { explain, explainBudget, prove, profile } = withDefaults('compare', texts);
	const entries = Object.entries({ explain, explainBudget, prove, profile });
	return Object.fromEntries(entries.filter(([name, text]) => text !== defaults[name as keyof OptionTexts]));
}
