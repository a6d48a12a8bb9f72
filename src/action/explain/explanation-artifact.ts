/** The explanation has an artifact of its own, because replacing one deletes it first, and with it the verdict. */
export function explanationName(artifactName: string, attempt: number): string {
	return `${artifactName}-explanation-attempt-${attempt}`;
}

export function isExplanationName(name: string): boolean {
	return /-explanation-attempt-[1-9]\d{0,3}$/.test(name);
}
