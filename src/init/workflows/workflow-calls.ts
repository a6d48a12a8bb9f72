import { asList, asMapping } from '../../config/file/check-scenario.ts';
import { readYaml } from '../../config/file/read-yaml.ts';

/** What a call of benchgate does. */
type Role = 'compare' | 'report' | 'baseline' | 'command';

const OF_REUSABLE: Readonly<Record<string, readonly Role[]>> = {
	'benchmark.yml': ['compare'],
	'report.yml': ['report'],
	'baseline.yml': ['baseline'],
	'command.yml': ['command'],
};

const OF_MODE: Readonly<Record<string, readonly Role[]>> = {
	compare: ['compare'],
	report: ['report'],
	baseline: ['baseline'],
};

/** What the mode `auto` does on an event; on any other it compares. */
const OF_EVENT: Readonly<Record<string, Role>> = {
	workflow_run: 'report',
	issue_comment: 'command',
	schedule: 'baseline',
};

type Mapping = Readonly<Record<string, unknown>>;

/** How much a token may do with one kind of thing. */
export type Right = 'none' | 'read' | 'write';

/** What a job's token may do: by scope; null where the workflow leaves it to the settings of the repository. */
export type Rights = ((scope: string) => Right) | null;

/** A place in which a workflow uses benchgate. */
export interface WorkflowCall {
	readonly file: string;
	/** What `workflow_run` calls the workflow: its name, else its path. */
	readonly workflow: string;
	readonly job: string;
	/** File of the reusable workflow: `benchmark.yml`; null where the action itself is a step. */
	readonly reusable: string | null;
	/** Tag, branch or commit; null when none is named. */
	readonly ref: string | null;
	readonly inputs: Mapping;
	readonly rights: Rights;
	/** Steps of the job before the action's. */
	readonly stepsBefore: readonly Mapping[];
	/** Events that start the workflow, each with its settings. */
	readonly events: ReadonlyMap<string, Mapping>;
}

const USE = /^benchgate\/benchgate(?:\/\.github\/workflows\/([\w.-]+\.ya?ml))?(?:@(.*))?$/i;

/** Returns every place in which a workflow uses benchgate. Throws a UserError when the text is not YAML. */
export function readWorkflowCalls(file: string, text: string): readonly WorkflowCall[] {
	const workflow = asMapping(readYaml(text, file).value);
	const events = readEvents(workflow.on);
	const name = typeof workflow.name === 'string' ? workflow.name : file;
	return Object.entries(asMapping(workflow.jobs)).flatMap(([job, value]) => {
		const described = asMapping(value);
		const rights = readRights(described.permissions ?? workflow.permissions);
		const steps = asList(described.steps).map(asMapping);
		return [described, ...steps].flatMap((caller, at): WorkflowCall[] => {
			const [whole, reusable = null, ref] = USE.exec(typeof caller.uses === 'string' ? caller.uses.trim() : '') ?? [];
			if (whole === undefined) return [];
			const stepsBefore = steps.slice(0, Math.max(0, at - 1));
			const inputs = asMapping(caller.with);
			return [{ file, workflow: name, job, reusable, ref: ref || null, inputs, rights, stepsBefore, events }];
		});
	});
}

function readEvents(on: unknown): ReadonlyMap<string, Mapping> {
	if (typeof on === 'string') return new Map([[on, {}]]);
	if (Array.isArray(on)) return new Map(on.filter((name) => typeof name === 'string').map((name) => [name, {}]));
	return new Map(Object.entries(asMapping(on)).map(([name, settings]) => [name, asMapping(settings)]));
}

/** https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#permissions: what is not named is not granted. */
function readRights(permissions: unknown): Rights {
	if (permissions === undefined) return null;
	if (permissions === 'read-all') return () => 'read';
	if (permissions === 'write-all') return () => 'write';
	const named = asMapping(permissions);
	return (scope) => (named[scope] === 'write' ? 'write' : named[scope] === 'read' ? 'read' : 'none');
}

/** Returns what a call does, by the workflow it calls, its mode, or the events it runs on. */
export function rolesOf({ reusable, inputs, events }: WorkflowCall): readonly Role[] {
	if (reusable !== null) return OF_REUSABLE[reusable] ?? [];
	const { mode = 'auto' } = inputs;
	if (mode !== 'auto') return OF_MODE[String(mode)] ?? [];
	return [...new Set([...events.keys()].map((event) => OF_EVENT[event] ?? 'compare'))];
}
