import { type Container, containerLines } from './databases.ts';

const CHECKOUT = 'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1';
const SETUP_NODE = 'actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0';

export interface InitialWorkflow {
	readonly file: string;
	readonly purpose: string;
	readonly text: string;
}

export const WORKFLOW_FOLDER = '.github/workflows';

/** Default branch in the texts. */
export const INITIAL_BRANCH = 'main';

export function onBranch(text: string, branch: string): string {
	return text.replace(`branches: [${INITIAL_BRANCH}]`, `branches: [${branch}]`);
}

/** Matches reusable workflows too. */
export const ACTION_USE = /uses:\s*['"]?benchgate\/benchgate[@/]/;

/**
 * The two workflows of the README and that of docs/baselines.md. The two are safe for every pull request: the one that
 * runs its code cannot write.
 */
/** Reusable workflows have no service containers, so with a database the job is written out. */
export function initialWorkflows(containers: readonly Container[]): readonly InitialWorkflow[] {
	const [measure, ...others] = INITIAL_WORKFLOWS;
	if (containers.length === 0 || measure === undefined) return INITIAL_WORKFLOWS;
	const services = containers.flatMap(containerLines).map((line) => `      ${line}\n`);
	const head = measure.text.slice(0, measure.text.indexOf('    uses:'));
	// Baselines would need the same job, with a token that may write.
	const report = others.filter(({ file }) => file.endsWith('-report.yml'));
	return [
		{
			...measure,
			text: `${head}    runs-on: ubuntu-latest
    timeout-minutes: 45
    services:
${services.join('')}    steps:
      - uses: ${CHECKOUT}
        with: { fetch-depth: 0, persist-credentials: false }
      - uses: ${SETUP_NODE}
        with: { node-version: 24, package-manager-cache: false }
      - uses: benchgate/benchgate@v0
`,
		},
		...report,
	];
}

export const INITIAL_WORKFLOWS: readonly InitialWorkflow[] = [
	{
		file: `${WORKFLOW_FOLDER}/benchgate.yml`,
		purpose: 'measures every pull request with a token that only reads',
		text: `# Compares every pull request with its base. Its code runs here, so the token can only read.
name: benchgate
on: pull_request
permissions: {}
jobs:
  measure:
    permissions: { contents: read, pull-requests: read }
    uses: benchgate/benchgate/.github/workflows/benchmark.yml@v0
`,
	},
	{
		file: `${WORKFLOW_FOLDER}/benchgate-report.yml`,
		purpose: 'writes the comment and the check, and runs none of the code',
		text: `# Writes comment and check. It runs no code of the pull request, and works once it is on the default branch.
name: benchgate report
on:
  workflow_run:
    workflows: [benchgate]
    types: [requested, completed]
permissions: {}
jobs:
  report:
    permissions: { contents: read, actions: read, checks: write, pull-requests: write }
    uses: benchgate/benchgate/.github/workflows/report.yml@v0
`,
	},
	{
		file: `${WORKFLOW_FOLDER}/benchgate-baseline.yml`,
		purpose: 'measures the main branch against its last release after every push',
		text: `# Says where the main branch stands since its last release.
name: benchgate baseline
on:
  push: { branches: [main] }
  schedule: [{ cron: "23 4 * * 1" }]
  workflow_dispatch: { inputs: { good: {}, bad: {}, servers: {}, scenarios: {} } }
permissions: {}
jobs:
  baseline:
    permissions: { contents: write, pull-requests: write, issues: write }
    uses: benchgate/benchgate/.github/workflows/baseline.yml@v0
`,
	},
];
