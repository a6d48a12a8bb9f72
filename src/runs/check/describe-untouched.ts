/** The finding of `benchgate check` about servers that a comparison may skip. */
import { saysReads } from '../../prepare/content/reads.ts';
import { nameAll } from '../../text/name-all.ts';
import type { Finding } from '../../types/finding.ts';
import { findUnchanged } from '../find-unchanged.ts';
import type { AskedPair } from '../verify-pair.ts';

/** Servers named before the rest becomes a number. */
const MOST_NAMED = 5;

/** Returns a note of the servers that a comparison may skip, where the config says what servers read; none where there are none. */
export async function describeUntouched(asked: AskedPair): Promise<readonly Finding[]> {
	const { config } = asked;
	if (!saysReads(config)) return [];
	const { sameCode, unchanged, warnings } = await findUnchanged(asked);
	const notes = warnings.map(({ message }): Finding => ({ kind: 'note', about: 'sides', text: message }));
	const servers = unchanged ? config.servers.map(({ name }) => name) : sameCode;
	if (servers.length === 0) return notes;
	const text = `${nameAll(servers, MOST_NAMED)}: nothing that is read differs, so --skip-unchanged skips ${servers.length === 1 ? 'it' : 'them'}`;
	return [{ kind: 'note', about: 'sides', text }, ...notes];
}
