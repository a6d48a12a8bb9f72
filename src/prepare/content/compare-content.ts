import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join, posix, relative, sep } from 'node:path';
import { isWithin, plainFolder } from '../../config/file/check-harness.ts';
import type { CustomServer } from '../../types/config.ts';
import type { Sides } from '../../types/units.ts';
import type { PackedPackage, PackedSubject } from '../package/packed.ts';
import { extractTarball, fetchTarball } from '../package/tarball.ts';
import type { Session } from '../prepare-context.ts';
import type { Source } from '../revision/source.ts';
import { type CodeTree, readCodeTree } from './code-tree.ts';
import { hashFiles, inspectFiles } from './list-files.ts';
import { isDocument, isInert } from './reads.ts';

/** Such sides are a deliberate A/A comparison. */
export function isSameRevision({ base, head }: Sides<Source>): boolean {
	if (base.kind === 'git' && head.kind === 'git') return base.sha === head.sha;
	if (base.kind === 'dir' && head.kind === 'dir') return base.folder === head.folder;
	return base.kind === head.kind && base.content === head.content;
}

/**
 * Whether both sides and their siblings pack to the same files, by name, kind, executable bit and content. Documents
 * and compression do not count.
 */
export async function isSamePacked(session: Session, { base, head }: Sides<PackedSubject>): Promise<boolean> {
	const [ofBase, ofHead] = [byName(base), byName(head)];
	if (ofBase.size !== ofHead.size) return false;
	for (const [name, one] of ofBase) {
		const other = ofHead.get(name);
		if (other === undefined) return false;
		if (one.digest === other.digest) continue;
		const digests = [await digestPacked(session, base.folder, one), await digestPacked(session, head.folder, other)];
		if (digests[0] !== digests[1]) return false;
	}
	return true;
}

/**
 * Whether custom servers run the same code on both sides. All files except `isInert` ones count.
 *
 * @param laid Folders that both sides get from one revision; ignored.
 */
export async function isSameCode(
	session: Session,
	sources: Sides<Source>,
	custom: readonly CustomServer[],
	laid: readonly string[] = [],
): Promise<boolean> {
	const { base, head } = sources;
	if (isTarball(base) || isTarball(head)) {
		if (!isTarball(base) || !isTarball(head)) return false;
		return isSamePacked(session, {
			base: await fetchTarball(session, { side: 'base', source: base }),
			head: await fetchTarball(session, { side: 'head', source: head }),
		});
	}
	const trees = { base: await readCodeTree(session, base), head: await readCodeTree(session, head) };
	if (trees.base === null || trees.head === null) return false;
	const { prepare, subject } = session.config;
	// If neither side has a cwd, it must be reported, unless `prepare` may create it.
	const isLaid = (path: string) => laid.some((folder) => isWithin(path, folder));
	const checkoutServers = custom.filter(({ cwd }) => !isLaid(plainFolder(cwd)));
	if (prepare === undefined && !checkoutServers.every(({ cwd }) => hasFolder(trees.base, cwd))) return false;
	const folders = [subject, ...custom.map(({ cwd }) => cwd)];
	return isEqual(trees.base, trees.head, (path) => !isInert(path, folders) && !isLaid(path));
}

function hasFolder(tree: CodeTree | null, folder: string): boolean {
	const inside = posix.normalize(`${folder}/`);
	return inside === './' || [...(tree?.keys() ?? [])].some((path) => path.startsWith(inside));
}

function isEqual(base: CodeTree, head: CodeTree, counts: (path: string) => boolean): boolean {
	const paths = new Set([...base.keys(), ...head.keys()]);
	return [...paths].every((path) => base.get(path) === head.get(path) || !counts(path));
}

function isTarball(source: Source): source is Extract<Source, { kind: 'npm' | 'file' }> {
	return source.kind === 'npm' || source.kind === 'file';
}

function byName({ subject, siblings }: PackedSubject): Map<string, PackedPackage> {
	return new Map([subject, ...siblings].map((one) => [one.name, one]));
}

export async function digestPacked(session: Session, folder: string, { file }: PackedPackage): Promise<string> {
	const scratch = await mkdtemp(join(session.cacheFolder, 'comparing-'));
	const release = session.janitor.guardDirectory(scratch);
	try {
		await extractTarball(session, join(folder, file), scratch);
		const entries = await readdir(scratch, { recursive: true, withFileTypes: true });
		const paths = entries
			.filter((entry) => !entry.isDirectory())
			.map((entry) => relative(scratch, join(entry.parentPath, entry.name)).split(sep).join('/'));
		const counting = paths.filter((path) => !isDocument(path));
		return await hashFiles(scratch, await inspectFiles(scratch, counting));
	} finally {
		await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
		release();
	}
}
