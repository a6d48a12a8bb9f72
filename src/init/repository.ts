/** What init sees of a repository, and what it makes of it. */
import type { FoundPackage } from './find-packages.ts';
import type { Service } from './find-service.ts';
import type { ScenarioLines } from './scenario-lines.ts';

/** A package, or a program in another language, that is started. */
export interface Started {
	readonly found: Pick<FoundPackage, 'folder' | 'json'>;
	readonly service: Service;
}

/** A repository as init sees it. */
export interface Repository {
	/** The package of the folder the config is written for. */
	readonly top: FoundPackage;
	/** Packages of its workspace. */
	readonly packages: readonly FoundPackage[];
	/** What runs the scripts of a package: `pnpm`. */
	readonly manager: string;
	/** The service of the folder in another language than JavaScript; null when there is none. */
	readonly other: Started | null;
	/** From an OpenAPI document of a server. */
	readonly scenarios?: ScenarioLines | undefined;
	/** Whether the user named the document, and not just had it. */
	readonly isNamed?: boolean;
}

/** A config, and what the user should know of it. */
export interface InitialConfig {
	readonly text: string;
	/** Sentences for the terminal: what was found, and what cannot be known. */
	readonly notes: readonly string[];
}
