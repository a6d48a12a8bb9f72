import { createHash } from 'node:crypto';
import { isWithin } from '../config/file/check-harness.ts';
import type { Config, CustomServer } from '../types/config.ts';
import type { Prepared } from '../types/prepared.ts';
import type { Sides } from '../types/units.ts';
import type { BuiltinFolder } from './builtin-servers.ts';
import { readCodeTree } from './content/code-tree.ts';
import { digestPacked } from './content/compare-content.ts';
import { isInert } from './content/reads.ts';
import { findSides } from './find-sides.ts';
import { digestFolders, type Harness, laidFolders } from './harness/harness.ts';
import type { PackedSubject, PlacedPackage } from './package/packed.ts';
import { fetchTarball } from './package/tarball.ts';
import type { Origin, PrepareContext, Session } from './prepare-context.ts';
import { inSession } from './prepare-session.ts';
import { finishBase, finishBoth, makeHead } from './prepare-sides.ts';

export interface PreparedBaseline extends Prepared {
	/** Digest of head's code by `digestCode`. */
	readonly headDigest: string | null;
}

export interface KnownCode {
	readonly known: string;
}

/**
 * Prepares as `prepareSides` does, and adds the digest of head's code. If it equals `measured`, returns only the
 * digest, without head installed.
 */
export async function prepareBaseline(
	config: Config,
	specs: Sides<string>,
	context: PrepareContext,
	measured: string | null,
): Promise<PreparedBaseline | KnownCode> {
	return inSession(config, context, async (session) => {
		session.progress.step('Resolving revisions');
		const inputs = await findSides(session, specs);
		const base = await finishBase(session, inputs);
		const head = await makeHead(session, inputs);
		const { selected, overrides, custom, harness } = inputs;
		const { origin, packed } = head;
		const headDigest = await digestCode(session, { origin, packed, selected, overrides, custom, harness });
		if (headDigest !== null && headDigest === measured) return { known: headDigest };
		return { ...(await finishBoth(session, inputs, base, head)), headDigest };
	});
}

interface DigestedSide {
	readonly origin: Origin;
	readonly packed: PackedSubject | null;
	readonly selected: readonly BuiltinFolder[];
	/** Replacements besides the subject. */
	readonly overrides?: readonly PlacedPackage[];
	readonly custom: readonly CustomServer[];
	/** Bench servers from outside the side. */
	readonly harness: Harness | null;
}

/**
 * A digest (64 hex digits) of all inputs of a side's measurement, or null if git cannot list the commit. Sides
 * with equal digests run the same program, as `isSamePacked` and `isSameCode` define it.
 */
async function digestCode(session: Session, side: DigestedSide): Promise<string | null> {
	const { origin, packed, selected, overrides = [], custom, harness } = side;
	const laid = laidFolders(harness).map(({ path }) => path);
	const tree = custom.length === 0 ? [] : await listCode(session, origin, custom, laid);
	if (tree === null) return null;
	const { subject, prepare, servers, scenarios, design } = session.config;
	const parts = {
		packed: packed === null ? [] : await listPacked(session, packed),
		tree,
		harness: harness && digestFolders(harness.folders),
		builtins: selected.map(({ name, digest }) => [name, digest]),
		...(overrides.length > 0 && { overrides: overrides.map(({ name, digest }) => [name, digest]) }),
		config: { subject, prepare, servers, scenarios, design },
		platform: session.platform,
	};
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

async function listPacked(session: Session, packed: PackedSubject): Promise<(readonly [string, string])[]> {
	const names: (readonly [string, string])[] = [];
	for (const one of [packed.subject, ...packed.siblings]) {
		names.push([one.name, await digestPacked(session, packed.folder, one)]);
	}
	return sorted(names);
}

async function listCode(
	session: Session,
	{ side, source }: Origin,
	custom: readonly CustomServer[],
	laid: readonly string[],
) {
	if (source.kind === 'npm' || source.kind === 'file') {
		return listPacked(session, await fetchTarball(session, { side, source }));
	}
	const tree = await readCodeTree(session, source);
	if (tree === null) return null;
	const folders = [session.config.subject, ...custom.map(({ cwd }) => cwd)];
	const counts = (path: string) => !isInert(path, folders) && !laid.some((folder) => isWithin(path, folder));
	return sorted([...tree].filter(([path]) => counts(path)));
}

function sorted(pairs: readonly (readonly [string, string])[]): (readonly [string, string])[] {
	return pairs.toSorted(([one], [other]) => (one < other ? -1 : 1));
}
