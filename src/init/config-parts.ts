/** The end of every config: margins, time, and what counts. */
export const MARGINS = `
# A drop beyond the threshold fails, a drop up to half of it is harmless.
threshold: 5%

# Time for measuring. More time decides smaller differences.
budget: 10m

# What an undecided scenario means for the check: pass, fail or neutral.
gate: { on-inconclusive: pass, metrics: [throughput] }
`;

/** How both sides are made ready, for those who never have to say it. */
export const PREPARE = `# Run once per side. Default: install by lockfile, and the build script where files are missing.
# prepare: npm ci && npm run build
`;

/** A text of the repository as one word of YAML: in quotes where it is more than a plain path. */
export function word(text: string): string {
	return /^[\w./][\w./@+-]*$/.test(text) ? text : JSON.stringify(text);
}
