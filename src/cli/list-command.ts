import satisfies from 'semver/functions/satisfies.js';
import type { Catalogue } from '../config/catalogue.ts';
import { loadCatalogue } from '../config/load-catalogue.ts';
import type { MachineAtHand } from '../config/servers/server-needs.ts';
import { findNode } from '../measure/find-node.ts';
import { nodeVersion } from '../measure/machine.ts';
import { TOOL_ROOT } from '../process/entries.ts';
import { glibcVersion, missingPrograms } from '../process/system/programs.ts';
import { renderList } from './render-list.ts';

/** Prints the built-in servers and scenarios. */
export async function runListCommand(): Promise<void> {
	const catalogue = await loadCatalogue(TOOL_ROOT);
	process.stdout.write(`${renderList(catalogue, describeMachine(catalogue))}\n`);
}

function describeMachine({ servers }: Catalogue): MachineAtHand {
	const programs = servers.flatMap((server) => server.programs ?? []);
	return {
		node: versionAtHand(),
		glibc: glibcVersion(),
		missing: missingPrograms(programs),
		satisfies,
	};
}

/** What lists servers need not have a Node to run them with. */
function versionAtHand(): string {
	try {
		return nodeVersion(findNode(undefined));
	} catch {
		return process.versions.node;
	}
}
