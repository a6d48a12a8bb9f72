/** A user's own service in another language. */
import { type Files, readFixture } from '../../support/cli.ts';

/** `work` sums of 500 numbers per request. */
export function pythonSide(side: string, work: number): Files {
	return { [`${side}/server.py`]: readFixture('python-api/server.py'), [`${side}/work`]: String(work) };
}

export const PYTHON = {
	servers: [
		{
			name: 'users',
			command: 'WORK="$(cat work)" exec python3 server.py',
			ready: { path: '/healthz', timeout: '30s' },
		},
	],
	scenarios: [
		{
			name: 'list-users',
			request: { method: 'GET', path: '/users?page=2', headers: { accept: 'application/json' } },
			expect: { status: 200, json: { page: 2, users: ['ada', 'grace'] } },
		},
	],
	// Three rounds must suffice for both verdicts on a machine where single ones vary by a factor of 2.
	threshold: '50%',
};
