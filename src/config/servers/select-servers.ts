import type { CustomServer, ServerSpec } from '../../types/config.ts';
import { UserError } from '../../types/errors.ts';
import { type Catalogue, serversUsing } from '../catalogue.ts';
import type { ConfigFile } from '../file/config-file.ts';
import type { Complain } from '../read-flags.ts';
import { didYouMean } from '../suggest.ts';

/**
 * Returns the servers to load: those named by the flag, else by the file, else the built-in ones that depend on the
 * subject. Complains about names that mean nothing; throws a UserError with the choices when there is nothing to load.
 */
export function selectServers(
	named: readonly string[] | undefined,
	file: ConfigFile | null,
	catalogue: Catalogue,
	subjectName: string | undefined,
	complain: Complain,
): ServerSpec[] {
	const own = (file?.servers ?? []).filter((server): server is CustomServer => typeof server !== 'string');
	const choices = [...own, ...catalogue.servers].map(({ name }) => name);
	const find = (name: string): ServerSpec[] => {
		const custom = own.find((server) => server.name === name);
		if (custom) return [custom];
		const builtin = catalogue.servers.find((server) => server.name === name);
		if (builtin) return [{ kind: 'built-in', name, ...(builtin.without && { without: builtin.without }) }];
		complain('server', `"${name}" is not a server${didYouMean(name, choices)}`);
		return [];
	};
	const names = named ?? file?.servers?.map((server) => (typeof server === 'string' ? server : server.name));
	return (names ?? dependents(file, catalogue, subjectName)).flatMap(find);
}

function dependents(file: ConfigFile | null, catalogue: Catalogue, subjectName: string | undefined): string[] {
	const found = serversUsing(subjectName ?? '', catalogue);
	if (found.length > 0) return found;
	const reason = subjectName === undefined ? '' : `, and no built-in server uses ${subjectName}`;
	throw new UserError({
		code: 'no-servers',
		...(file && { where: file.file }),
		message: `there is nothing to load: no server is named${reason}`,
		remedy:
			file === null
				? 'let benchgate init write a benchgate.yml, or name a built-in server with --server: benchgate list'
				: 'say under "servers" how yours is started (benchgate init writes the lines as comments where it does not know), or name a built-in one: benchgate list',
	});
}
