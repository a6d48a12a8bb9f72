/** Copies downloads of base's package managers to head, so that they are fetched once. */
import type { SideUser } from '../types/isolation.ts';
import type { Sides } from '../types/units.ts';
import { pipeSides } from './sides/pipe-sides.ts';

/** Where package managers keep what they have downloaded, below HOME. */
const CACHES = [
	'.npm/_cacache',
	'.cache',
	'.yarn',
	'.local/share/pnpm',
	'.bun/install/cache',
	'.cargo/registry',
	'go/pkg/mod',
	'.m2',
	'.gradle/caches',
];
const PACK = `
cd "$HOME" || exit 0
set -- ${CACHES.map((path) => `"${path}"`).join(' ')}
for path in "$@"; do shift; [ ! -e "$path" ] || set -- "$@" "$path"; done
[ $# -eq 0 ] || exec tar -cf - "$@"
`;
const UNPACK = 'cd "$HOME" && exec tar -xf - 2>/dev/null';
/** Copying goes at hundreds of megabytes a second: what takes longer is quicker downloaded. */
const PATIENCE_MS = 60_000;

/**
 * Copies what base's package managers have downloaded into head's home: read with the rights of base's user, written with those of
 * head's, so that no link of either leads anywhere else. What fails is downloaded again.
 */
export async function shareCaches({ base, head }: Sides<SideUser>): Promise<void> {
	await pipeSides({ user: base, script: PACK }, { user: head, script: UNPACK }, PATIENCE_MS);
}
