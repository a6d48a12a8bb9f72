import { badArtifact, readPublication } from '../../formats/publication/publication-file.ts';
import { PUBLICATION_FILE, type Publication } from '../../types/action-run.ts';
import { agreedGate } from './agreed-gate.ts';

/**
 * Returns the publication in a text nobody vouches for, with a gate that is not believed but made again from the rows: without
 * an acceptance, and with reasons in our own words. Every other word in it stays hostile: escape it.
 *
 * @throws UserError as `readPublication` does, and `bad-artifact` when the gate contradicts its rows.
 */
export function receivePublication(text: string): Publication {
	const publication = readPublication(text);
	const { conclusion } = publication;
	if (conclusion.kind !== 'compared') return publication;
	const gate = agreedGate(conclusion.result);
	if (!gate) {
		const where = `${PUBLICATION_FILE}: /conclusion/result/gate/outcome`;
		throw badArtifact(where, 'the gate contradicts the verdicts of its rows');
	}
	return { ...publication, conclusion: { ...conclusion, result: { ...conclusion.result, gate } } };
}
