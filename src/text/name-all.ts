/** Returns different names as a list of at most `most`, then how many are left: `a, b and 3 more`. */
export function nameAll(names: readonly string[], most: number): string {
	const different = [...new Set(names)];
	const rest = different.length - most;
	return `${different.slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
