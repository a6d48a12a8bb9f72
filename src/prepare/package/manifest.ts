import { join } from 'node:path';
import { parseJson } from '../../text/json.ts';
import { UserError } from '../../types/errors.ts';
import { readPlainText } from '../content/plain-file.ts';

export interface Manifest {
	readonly name?: string;
	readonly version?: string;
	readonly packageManager?: string;
	readonly scripts?: Readonly<Record<string, string>>;
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly devDependencies?: Readonly<Record<string, string>>;
	readonly optionalDependencies?: Readonly<Record<string, string>>;
	readonly peerDependencies?: Readonly<Record<string, string>>;
	readonly overrides?: Readonly<Record<string, unknown>>;
	readonly workspaces?: unknown;
	readonly bundleDependencies?: unknown;
	readonly bundledDependencies?: unknown;
	readonly main?: unknown;
	readonly module?: unknown;
	readonly bin?: unknown;
	readonly exports?: unknown;
	readonly engines?: unknown;
}

/** Throws UserError `bad-manifest` if the package.json is not a JSON object. */
export async function readManifest(folder: string, where: string): Promise<Manifest | null> {
	const text = await readPlainText(join(folder, 'package.json')).catch(() => null);
	return text === null ? null : parseManifest(text, where);
}

export function parseManifest(text: string, where: string): Manifest {
	try {
		const manifest = parseJson(text);
		if (typeof manifest === 'object' && manifest !== null && !Array.isArray(manifest)) return manifest as Manifest;
		throw new Error('it is no object');
	} catch (cause) {
		throw new UserError({
			code: 'bad-manifest',
			where,
			message: `package.json cannot be read: ${(cause as Error).message}`,
			remedy: 'fix the JSON of this package.json',
			cause,
		});
	}
}
