import { EXIT, isUserError, UserError } from '../../types/errors.ts';
import type { BuildNote } from '../../types/result.ts';
import { installCheckout } from '../package/install.ts';
import { type PackedFolder, packSubject } from '../package/pack.ts';
import type { PackedNote } from '../package/packed.ts';
import { nameOrigin, type Session } from '../prepare-context.ts';
import type { Checkout } from '../revision/checkout.ts';
import { findBuilds, isInCheckout, runBuilds, type Stage, suggestPrepare } from './find-build.ts';
import type { NamedFile } from './named-files.ts';

const NAMED = 3;

interface Attempt {
	readonly packed: readonly PackedFolder[];
	readonly commands: readonly string[];
	/** Error of a build that was not necessary. */
	readonly failure?: UserError;
}

/**
 * Packs the subject into `destination`. If files named by package.json are missing, builds and packs again. Throws
 * UserError `not-built`, and errors of a necessary build.
 */
export async function packBuilt(
	session: Session,
	checkout: Checkout,
	destination: string,
	installed: boolean,
): Promise<PackedNote> {
	const first = await packSubject(session, checkout, destination);
	const lacking = first.filter(({ missing }) => missing.length > 0);
	// With `prepare`, missing files are accepted unless the package cannot be loaded.
	const settled = lacking.length === 0 || (session.config.prepare !== undefined && !lacking.some(lacksEntry));
	const attempt = settled
		? { packed: first, commands: [] }
		: await build(session, checkout, destination, { first, lacking, installed });
	const { packed, commands } = attempt;
	const broken = packed.find(lacksEntry);
	if (broken !== undefined) throw await notBuilt(session, checkout, broken, commands);
	const [subject, ...siblings] = packed.map((each) => each.packed);
	if (subject === undefined) throw new Error('nothing was packed');
	const built = commands.length === 0 ? {} : { built: describeBuild(lacking, commands) };
	const words = describeIncomplete(attempt);
	return { subject, siblings, ...built, ...(words === '' ? {} : { incomplete: words }) };
}

async function build(
	session: Session,
	checkout: Checkout,
	destination: string,
	{ first, lacking, installed }: { first: PackedFolder[]; lacking: PackedFolder[]; installed: boolean },
): Promise<Attempt> {
	if (!installed) await installCheckout(session, checkout, [session.config.subject]);
	const stages = await findBuilds(
		checkout,
		lacking.map(({ folder }) => folder),
	);
	announce(session, checkout, lacking, stages);
	let attempt: Attempt = { packed: first, commands: [] };
	for (const [at, stage] of stages.entries()) {
		try {
			const commands = [...attempt.commands, ...(await runBuilds(session, checkout, stage))];
			attempt = { packed: await packSubject(session, checkout, destination), commands };
		} catch (error) {
			if (!isUserError(error) || error.code !== 'build-failed') throw error;
			const last = at === stages.length - 1;
			if (last && first.some(lacksEntry)) throw error;
			// A failed build may leave partial files, so the first packing is used.
			if (last) attempt = { packed: first, commands: [], failure: error };
			continue;
		}
		if (attempt.packed.every(({ missing }) => missing.length === 0)) break;
	}
	return attempt;
}

function announce({ progress }: Session, { origin }: Checkout, lacking: PackedFolder[], stages: Stage[]): void {
	const [first] = lacking;
	if (first === undefined || stages.length === 0) return;
	progress.step(`${nameOrigin(origin)}: building, because ${first.packed.name} names ${first.missing[0]?.path}`);
}

function lacksEntry({ missing }: PackedFolder): boolean {
	return missing.some(({ entry }) => entry);
}

function describeBuild(lacking: readonly PackedFolder[], commands: readonly string[]): BuildNote {
	const [first] = lacking;
	return { command: commands.join(' && '), file: first?.missing[0]?.path ?? '', package: first?.packed.name ?? '' };
}

/** Servers do not load programs and files for bundlers. */
function describeIncomplete({ packed, failure }: Attempt): string {
	const lacking = packed.flatMap(({ packed: { name }, missing }) => {
		const files = missing.filter(({ loaded }) => loaded);
		return files.length === 0 ? [] : [`${name} names ${listFiles(files)}`];
	});
	const why = failure === undefined ? '' : `: ${failure.message}`;
	if (lacking.length === 0) return '';
	return `${lacking.join('; ')}, which the packed package does not have${why}. A server that loads it will not start`;
}

async function notBuilt(
	session: Session,
	checkout: Checkout,
	{ folder, packed, missing }: PackedFolder,
	commands: readonly string[],
): Promise<UserError> {
	const needed = missing.filter(({ loaded }) => loaded);
	const common = {
		code: 'not-built',
		where: nameOrigin(checkout.origin),
		exitCode: EXIT.nothingMeasured,
	};
	const lacks = `the packed package ${packed.name} lacks what its package.json names: ${listFiles(needed)}`;
	if (await isInCheckout(folder, needed[0]?.path ?? '')) {
		return new UserError({
			...common,
			message: `${lacks}; it is in the repository, but is not packed`,
			remedy: 'look at "files" in package.json and at .npmignore: what they leave out is not published either',
		});
	}
	const tried =
		commands.length > 0
			? `"${commands.join(' && ')}" did not make it`
			: session.config.prepare === undefined
				? 'no "build" script was found that would make it'
				: `neither "prepare: ${session.config.prepare}" nor a "build" script makes it`;
	return new UserError({
		...common,
		message: `${lacks}; ${tried}`,
		remedy: `write into benchgate.yml how it is built, e.g. ${(await suggestPrepare(session, checkout, folder)) ?? 'prepare: npm ci && YOUR BUILD COMMAND'}`,
	});
}

function listFiles(files: readonly NamedFile[]): string {
	const moreCount = files.length - NAMED;
	const listed = files.slice(0, NAMED).map(({ path }) => path);
	return listed.join(', ') + (moreCount > 0 ? ` and ${moreCount} more` : '');
}
