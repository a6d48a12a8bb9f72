import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config, PackageOverride } from '../../types/config.ts';
import { EXIT, isUserError, UserError } from '../../types/errors.ts';
import { tailOf } from '../build/build-failure.ts';
import type { Origin, PrepareContext, Session } from '../prepare-context.ts';
import { inSession } from '../prepare-session.ts';
import { parseNpmSpec } from '../revision/parse-revision.ts';
import { runNpm } from '../revision/registry.ts';
import { resolveRevision } from '../revision/resolve-revision.ts';
import type { FileSource, NpmSource } from '../revision/source.ts';
import { readManifest } from './manifest.ts';
import { type PackedSubject, type PlacedPackage, packagesOf } from './packed.ts';
import { fetchTarball, findTarball } from './tarball.ts';

/**
 * Packs folders as they are, without scripts. Throws UserError if a package is missing or misnamed. `isTold` suppresses
 * progress on a repeated fetch.
 */
export async function fetchOverrides(session: Session, isTold = false): Promise<readonly PlacedPackage[]> {
	const packages: PlacedPackage[] = [];
	for (const override of session.config.packages ?? []) {
		if (!isTold) session.progress.step(`Package ${override.name}: from ${override.place}`);
		packages.push(await fetchOverride(session, override));
	}
	return packages;
}

export function refuseSubject(session: Session, subject: PackedSubject | null): void {
	const subjectNames = new Set(packagesOf(subject).map(({ name }) => name));
	const override = session.config.packages?.find(({ name }) => subjectNames.has(name));
	if (override === undefined) return;
	throw new UserError({
		code: 'package-is-subject',
		where: nameOverride(override),
		message: `${override.name} is the package that is compared: each side has its own`,
		remedy: 'give its versions as base and head, and no package of that name',
	});
}

const PATH = /^[./~]|\.t(ar\.)?gz$/;

async function fetchOverride(session: Session, override: PackageOverride): Promise<PlacedPackage> {
	const path = resolve(session.cwd, override.place);
	const stats = await stat(path).catch(() => null);
	// The path may exist only by chance: in a workflow it is in head's checkout, which must not replace a version on
	// both sides.
	if (stats !== null && !PATH.test(override.place) && parseNpmSpec(specOf(override)) !== null)
		throw ambiguous(override);
	if (stats?.isDirectory()) return packFolder(session, override, path);
	if (stats?.isFile()) return fetch(session, override, `file:${path}`);
	if (PATH.test(override.place)) {
		throw new UserError({
			code: 'no-folder',
			where: nameOverride(override),
			message: `there is no folder or tarball ${path}`,
			remedy: 'give a path relative to where benchgate runs, or a version of the registry',
		});
	}
	return fetch(session, override, `npm:${specOf(override)}`);
}

function specOf({ name, place }: PackageOverride): string {
	const spec = place.replace(/^npm:/, '');
	return parseNpmSpec(spec) !== null && /^@|[^@]@/.test(spec) ? spec : `${name}@${spec}`;
}

async function packFolder(session: Session, override: PackageOverride, folder: string): Promise<PlacedPackage> {
	const where = nameOverride(override);
	const manifest = await readManifest(folder, where);
	if (manifest?.name !== override.name) throw anotherPackage(override, manifest?.name);
	const packing = await mkdtemp(join(session.cacheFolder, 'asking-'));
	const release = session.janitor.guardDirectory(packing);
	try {
		const args = ['pack', folder, '--ignore-scripts', '--pack-destination', packing];
		const outcome = await runNpm(session, args);
		if (!outcome.succeeded) {
			throw new UserError({
				code: 'build-failed',
				where,
				message: `npm could not pack ${folder} (${outcome.ending})`,
				remedy: `repeat it by hand: npm pack ${folder} --ignore-scripts`,
				details: tailOf(outcome.stderr),
				exitCode: EXIT.nothingMeasured,
			});
		}
		return await fetch(session, override, `file:${join(packing, await findTarball(packing))}`);
	} finally {
		await rm(packing, { recursive: true, force: true, maxRetries: 3 });
		release();
	}
}

async function fetch(session: Session, override: PackageOverride, revision: string): Promise<PlacedPackage> {
	try {
		const source = (await resolveRevision(session, 'base', revision)) as NpmSource | FileSource;
		const origin: Origin & { readonly source: typeof source } = { side: 'base', source };
		const [fetched] = packagesOf(await fetchTarball(session, origin));
		if (fetched === undefined || fetched.name !== override.name) throw anotherPackage(override, fetched?.name);
		return fetched;
	} catch (error) {
		throw isUserError(error) ? saidOf(override, error) : error;
	}
}

/** `fetch` resolves the override as a revision of base, so its errors name base. This names the override instead. */
function saidOf(override: PackageOverride, error: UserError): UserError {
	const { code, message, remedy, details, exitCode } = error;
	return new UserError({
		...{ code, message, exitCode, where: nameOverride(override), cause: error },
		...(remedy !== undefined && { remedy }),
		...(details !== undefined && { details }),
	});
}

function ambiguous({ name, place }: PackageOverride): UserError {
	return new UserError({
		code: 'ambiguous-package',
		where: nameOverride({ name, place }),
		message: `"${place}" may be a version of ${name}, and is a folder or file where benchgate runs`,
		remedy: `choose one: ${name}=./${place}, or remove that folder or file`,
	});
}

function anotherPackage(override: PackageOverride, actualName: string | undefined): UserError {
	const { name, place } = override;
	return new UserError({
		code: 'another-package',
		where: nameOverride(override),
		message:
			actualName === undefined
				? `${place} holds no package with a name`
				: `${place} is the package ${actualName}, not ${name}`,
		remedy: `give a folder, tarball or version of ${name}`,
	});
}

function nameOverride({ name, place }: PackageOverride): string {
	return `package ${name}=${place}`;
}

/** Checks before any install that all replacement packages exist and have the right names. */
export async function checkPackages(config: Config, context: PrepareContext): Promise<void> {
	if (config.packages === undefined || config.packages.length === 0) return;
	await inSession(config, context, fetchOverrides);
}
