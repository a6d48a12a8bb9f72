import type { PackageOverride, ServerSpec } from '../../types/config.ts';
import { UserError } from '../../types/errors.ts';
import { type Catalogue, type CatalogueServer, frameworkName, hasPackage } from '../catalogue.ts';
import type { ConfigFile } from '../file/config-file.ts';
import type { Complain } from '../read-flags.ts';
import { suggest } from '../suggest.ts';

/**
 * Returns the packages that built-in servers run instead of their own: those of the flag, else of the file, by the names npm
 * knows; the name of a server stands for the package it is about. Complains about a flag that changes no chosen server. What
 * the file says of servers that a flag left out is left out, too; throws a UserError when it names no server's package.
 */
export function selectPackages(
	flag: readonly PackageOverride[] | undefined,
	file: ConfigFile | null,
	catalogue: Catalogue,
	chosen: readonly ServerSpec[],
	complain: Complain,
): readonly PackageOverride[] {
	const isChosen = ({ name }: CatalogueServer) =>
		chosen.some((server) => server.kind === 'built-in' && server.name === name);
	const isRun = ({ name }: PackageOverride) =>
		catalogue.servers.some((each) => isChosen(each) && hasPackage(each, name));
	if (flag !== undefined) {
		const named = flag.map((item) => asPackage(item, catalogue));
		for (const { name } of named.filter((item) => !isRun(item))) {
			complain('package', `no chosen built-in server has the package ${name}${hint(name, catalogue)}`);
		}
		return named;
	}
	const listed = (file?.package ?? []).map((item) => asPackage(item, catalogue));
	const unknown = listed.find(({ name }) => !catalogue.servers.some((each) => hasPackage(each, name)));
	if (file !== null && unknown !== undefined) throw unknownPackage(unknown.name, file, catalogue);
	return listed.filter(isRun);
}

/** The name of a server is no package where the server is about another one. */
function asPackage(item: PackageOverride, catalogue: Catalogue): PackageOverride {
	const server = catalogue.servers.find(({ name }) => name === item.name);
	const isPackage = catalogue.servers.some((each) => hasPackage(each, item.name));
	const name = (!isPackage && server && frameworkName(server)) || item.name;
	return { ...item, name };
}

function unknownPackage(name: string, file: ConfigFile, catalogue: Catalogue): UserError {
	return new UserError({
		code: 'bad-config',
		where: file.file,
		message: `packages: no built-in server has the package ${name}${hint(name, catalogue)}`,
		remedy: 'a server of your own takes its packages from its own package.json',
	});
}

function hint(name: string, { servers }: Catalogue): string {
	const known = servers.flatMap((server) => [server.name, ...server.dependencies, ...(server.unserved ?? [])]);
	const nearest = suggest(name, known);
	return nearest === undefined || nearest === name ? '' : `; did you mean "${nearest}"?`;
}
