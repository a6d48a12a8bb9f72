import type { IsolationWish } from '../types/isolation.ts';
import type { Janitor } from '../types/run-services.ts';
import type { IsolationFacts } from './isolation-facts.ts';

/** What opening an isolation needs to know. */
export interface IsolationOptions {
	readonly wish: IsolationWish;
	/** Folder of ours, for the private folders of both sides and everything they build. Exists. */
	readonly folder: string;
	/** Names of folders in it that lead to what the sides run from. */
	readonly passed?: readonly string[];
	/** Files and folders both sides need besides: Node, the tool, a repository. */
	readonly needed: readonly string[];
	/** Path of the Node binary both sides run on; it and its npm are found behind a view as well. */
	readonly node?: string;
	/** Folder that git keeps the repository in; both sides can read it, without what its configuration holds of secrets. */
	readonly repository?: string | null;
	readonly janitor: Janitor;
	/** What is known about the machine; probed when absent. */
	readonly facts?: IsolationFacts;
}
