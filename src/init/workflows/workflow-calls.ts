/** Finds the uses of benchgate in workflows. */
import { asList, asMapping } from '../../config/file/check-scenario.ts';
import type { Path } from '../../config/file/problem.ts';
import { readYaml } from '../../config/file/read-yaml.ts';

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

/** Roles in mode `auto`, by event. With other events it compares. */
const OF_EVENT: Readonly<Record<string, Role>> = {
	workflow_run: 'report',
	issue_comment: 'command',
	schedule: 'baseline',
};

export type Mapping = Readonly<Record<string, unknown>>;

export type Right = 'none' | 'read' | 'write';

/** A token's permissions by scope; null if the repository's settings decide. */
export type Rights = ((scope: string) => Right) | null;

export interface WorkflowCall {
	readonly file: string;
	/** The workflow's name, else its path, as in `workflow_run`. */
	readonly workflow: string;
	readonly job: string;
	readonly described: Mapping;
	/** Step or job. */
	readonly caller: Mapping;
	readonly line: number;
	lineOf(path: Path): number;
	/** File name, such as `benchmark.yml`; null for the action as a step. */
	readonly reusable: string | null;
	readonly ref: string | null;
	readonly inputs: Mapping;
	readonly rights: Rights;
	readonly stepsBefore: readonly Mapping[];
	/** Trigger → settings. */
	readonly events: ReadonlyMap<string, Mapping>;
}

const USE = /^benchgate\/benchgate(?:\/\.github\/workflows\/([\w.-]+\.ya?ml))?(?:@(.*))?$/i;

/** Throws UserError for invalid YAML. */
export function readWorkflowCalls(file: string, text: string): readonly WorkflowCall[] {
	const source = readYaml(text, file);
	const workflow = asMapping(source.value);
	const lineOf = (path: Path) => source.lineOf(path);
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
			const place = at === 0 ? ['jobs', job, 'uses'] : ['jobs', job, 'steps', at - 1, 'uses'];
			const where = { file, workflow: name, job, described, caller, line: lineOf(place), lineOf };
			return [{ ...where, reusable, ref: ref || null, inputs, rights, stepsBefore, events }];
		});
	});
}

function readEvents(on: unknown): ReadonlyMap<string, Mapping> {
	if (typeof on === 'string') return new Map([[on, {}]]);
	if (Array.isArray(on)) return new Map(on.filter((name) => typeof name === 'string').map((name) => [name, {}]));
	return new Map(Object.entries(asMapping(on)).map(([name, settings]) => [name, asMapping(settings)]));
}

/**
 * A scope without an entry is not granted:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#permissions
 */
function readRights(permissions: unknown): Rights {
	if (permissions === undefined) return null;
	if (permissions === 'read-all') return () => 'read';
	if (permissions === 'write-all') return () => 'write';
	const named = asMapping(permissions);
	return (scope) => (named[scope] === 'write' ? 'write' : named[scope] === 'read' ? 'read' : 'none');
}

/** Derives roles from workflow, mode or events. */
export function rolesOf({ reusable, inputs, events }: WorkflowCall): readonly Role[] {
	if (reusable !== null) return OF_REUSABLE[reusable] ?? [];
	const { mode = 'auto' } = inputs;
	if (mode !== 'auto') return OF_MODE[String(mode)] ?? [];
	return [...new Set([...events.keys()].map((event) => OF_EVENT[event] ?? 'compare'))];
}
