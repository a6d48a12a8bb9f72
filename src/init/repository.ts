import type { FoundPackage } from './find-packages.ts';
import type { Service } from './find-service.ts';
import type { ScenarioLines } from './scenario-lines.ts';

export interface Started {
	readonly found: Pick<FoundPackage, 'folder' | 'json'>;
	readonly service: Service;
}

export interface Repository {
	readonly top: FoundPackage;
	readonly packages: readonly FoundPackage[];
	readonly manager: string;
	/** A service in a language other than JavaScript. */
	readonly other: Started | null;
	/** From an OpenAPI document. */
	readonly scenarios?: ScenarioLines | undefined;
	/** Whether the user named the document. */
	readonly isNamed?: boolean;
}

export interface InitialConfig {
	readonly text: string;
	/** For the terminal. */
	readonly notes: readonly string[];
}
