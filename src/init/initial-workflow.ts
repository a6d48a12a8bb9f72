/** Where `benchgate init` puts the workflow, relative to the top folder of the repository. */
export const WORKFLOW_FILE = '.github/workflows/benchgate.yml';

/** What a workflow that uses the action has in it. */
export const ACTION_USE = /uses:\s*['"]?benchgate\/benchgate[@/]/;

/** Text of the workflow `benchgate init` writes: the one of the README, for pull requests from branches of the repository. */
export const INITIAL_WORKFLOW = `# One comment on every pull request, and a check that fails only for a real regression.
# Comments on pull requests from forks take a second workflow: docs/fork-pull-requests.md of benchgate.
name: benchgate

on: pull_request

permissions: {}

concurrency:
  group: benchgate-\${{ github.event.pull_request.number }}
  cancel-in-progress: true

jobs:
  benchgate:
    name: base and head side by side
    runs-on: ubuntu-latest
    timeout-minutes: 45
    permissions:
      contents: read
      pull-requests: write # for the comment
      checks: write # for the check run
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          fetch-depth: 0
          persist-credentials: false # the code under test could read them
      - uses: actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0
        with:
          node-version: 24
          package-manager-cache: false
      - uses: benchgate/benchgate@v1
`;
