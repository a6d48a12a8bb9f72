/**
 * The loads of published benchmark pages, as their own code sends them. A preset loads each server alone, one after the other,
 * as the pages do: it shows what a page would have shown here, and has no intervals.
 */
import type { Preset } from './preset.ts';
import { PRESET_TABLE } from './preset-table.ts';

export type PresetName = keyof typeof PRESET_TABLE;
export const PRESET_NAMES = Object.keys(PRESET_TABLE) as readonly PresetName[];

/** Returns the preset of this name. */
export function presetOf(name: PresetName): Preset {
	return PRESET_TABLE[name];
}

/** Returns the preset of a name that a file has; null for none, and for one that this benchgate does not know. */
export function findPreset(name: string | null): Preset | null {
	const known = PRESET_NAMES.find((one) => one === name);
	return known === undefined ? null : presetOf(known);
}
