/** Names for the places of a pair's processes: of a database, a schema or a file of their own. */
import { randomBytes } from 'node:crypto';

/** Equal lengths, and neither of them tells the other. */
const BYTES = 5;

/**
 * Returns the names of a pair's two places: letters, digits and underscores, of equal length, good for a database, a schema or a
 * file. No other run on the machine has them.
 */
export function nameSlots(): readonly [string, string] {
	const name = () => `slot_${randomBytes(BYTES).toString('hex')}`;
	return [name(), name()];
}
