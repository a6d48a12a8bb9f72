import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import satisfies from 'semver/functions/satisfies.js';
import type { CatalogueServer } from '../../../src/config/catalogue.ts';
import { findUnmetNeed } from '../../../src/config/server-needs.ts';
import { glibcVersion, missingPrograms } from '../../../src/process/programs.ts';
import { TEST_NODE } from './installed-server.ts';

/** Returns a Node for testing a built-in server: the current one or one on PATH; else why not. */
export function nodeFor(server: CatalogueServer): { readonly node: string } | { readonly skip: string } {
	const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'));
	const machine = { glibc: glibcVersion(), missing: missingPrograms(server.programs ?? []), satisfies };
	const reasons: string[] = [];
	for (const node of [TEST_NODE, ...onPath.filter((path) => existsSync(path))]) {
		const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().replace(/^v/, '');
		const unmet = findUnmetNeed(server, { ...machine, node: version });
		if (unmet === null) return { node };
		reasons.push(unmet.reason);
	}
	return { skip: reasons[0] ?? 'there is no Node' };
}
