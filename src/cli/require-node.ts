import { EXIT, UserError } from '../types/errors.ts';

/** First major version that benchgate runs on; the `engines` of package.json and the target of the build are the same. */
export const LEAST_NODE = 22;

/** Throws a UserError when `version` (`process.versions.node`) of the Node at `binary` is older than benchgate is built for. */
export function requireNode(version: string, binary: string): void {
	if (Number.parseInt(version, 10) >= LEAST_NODE) return;
	throw new UserError({
		code: 'old-node',
		where: binary,
		message: `Node ${version} is too old for benchgate, which needs Node ${LEAST_NODE} or later`,
		remedy: `run benchgate with a newer Node; to measure servers on this one, add --node ${binary}`,
		exitCode: EXIT.usage,
	});
}
