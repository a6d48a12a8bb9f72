export interface InitialWorkflow {
	/** Relative to the top of the repository. */
	readonly file: string;
	/** Predicate of a sentence. */
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
 * The two workflows of the README and that of docs/baselines.md. The two are safe for every pull request, also from
 * forks and bots: the one that runs their code cannot write, and the one that writes does not run it.
 */
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
