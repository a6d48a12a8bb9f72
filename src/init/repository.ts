import type { Container } from './databases.ts';
import type { FoundPackage } from './find-packages.ts';
import type { Service } from './find-service.ts';
import type { OperationScenario } from './openapi/list-scenarios.ts';
import type { ScenarioLines } from './scenario-lines.ts';

export interface Started {
	readonly found: Pick<FoundPackage, 'folder' | 'json'>;
	readonly service: Service;
}

export interface Repository {
	readonly top: FoundPackage;
	readonly packages: readonly FoundPackage[];
	readonly manager: string;
	/** Services in other languages than JavaScript. */
	readonly others: readonly Started[];
	/** A file of a language without a reader. */
	readonly unread: { readonly file: string; readonly language: string } | null;
	readonly containers: readonly Container[];
	/** The config of a library in another language. */
	readonly bench: InitialConfig | null;
	/** The config of middleware that no built-in server loads. */
	readonly middleware: InitialConfig | null;
	readonly scenarios?: ScenarioLines | undefined;
	readonly isNamed?: boolean;
}

export interface InitialConfig {
	readonly text: string;
	readonly notes: readonly string[];
	readonly containers?: readonly Container[];
	/** Programs to write, by path. */
	readonly files?: Readonly<Record<string, string>>;
	/** The block of scenarios for a service, which a try may replace. */
	readonly scenarios?: { readonly text: string; readonly found: readonly OperationScenario[] };
}
