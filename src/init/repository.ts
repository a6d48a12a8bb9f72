import type { FoundPackage } from './find-packages.ts';
import type { Service } from './find-service.ts';
import type { ScenarioLines } from './scenario-lines.ts';

export interface Started {
	readonly found: Pick<FoundPackage, 'folder' | 'json'>;
	readonly service: Service;
}

export interface Repository {
	readonly top: FoundPackage;
	/** Of its workspace. */
	readonly packages: readonly FoundPackage[];
	/** Package manager, such as `pnpm`. */
	readonly manager: string;
	/** A service in another language than JavaScript. */
	readonly other: Started | null;
	/** From an OpenAPI document. */
	readonly scenarios?: ScenarioLines | undefined;
	/** The user named the document. */
	readonly isNamed?: boolean;
}

export interface InitialConfig {
	readonly text: string;
	/** Findings and open questions, for the terminal. */
	readonly notes: readonly string[];
}
