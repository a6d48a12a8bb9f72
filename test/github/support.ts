import { createRequire } from 'node:module';
import type { TestContext } from 'node:test';
import { createClient, type GitHub } from '../../src/github/github-client.ts';
import type { RunIdentity } from '../../src/types/action-run.ts';
import { startDouble } from '../support/github/double.ts';
import type { Double, DoubleState } from '../support/github/types.ts';

// Octokit's limiter waits for ten timers a request, 12 ms in all: minutes of the tests.
const Bottleneck = createRequire(import.meta.url)('bottleneck/light.js');
Object.assign(Object.getPrototypeOf(new Bottleneck()._store), { yieldLoop: () => Promise.resolve() });

export const REPOSITORY = { owner: 'o', repo: 'r' };
export const HEAD = 'a'.repeat(40);

/** Returns a client of a new double, which is closed after the test and then throws if a request was invalid. */
export async function connect(
	t: TestContext,
	state: Partial<DoubleState> = {},
): Promise<{ github: GitHub; double: Double }> {
	const double = await startDouble(state);
	t.after(() => double.close());
	const github = createClient({ token: 'token-of-the-test', apiUrl: double.url, warn() {}, waitFactor: 0.001 });
	return { github, double };
}

/** Returns the identity of a run. */
export function runOf(id: number, attempt = 1): RunIdentity {
	return { id, attempt, url: `https://github.example/o/r/actions/runs/${id}` };
}

/** Returns the requests to the double, as `METHOD /path`. */
export function requestsTo({ calls }: Double, method = ''): string[] {
	return calls.filter((call) => call.method.startsWith(method)).map((call) => `${call.method} ${call.path}`);
}
