/** Shared by the tests of `benchgate check` and `benchgate init --try`. */
import { execFileSync } from 'node:child_process';
import { type CliRun, type Playground, readFixture } from '../../support/cli.ts';

/** It needs no root, and no progress is drawn over the findings. */
export const CHECK_SIDES = 'check --base dir:base --head dir:head --isolation none --quiet'.split(' ');

/** A service with a document of its requests, one of which it does not answer, and settings that git ignores. */
export const SHOP = {
	'package.json': { name: 'shop', private: true, scripts: { start: 'node server.js' } },
	'server.js': readFixture('servers/shop.js'),
	'openapi.yml': readFixture('servers/shop-openapi.yml'),
	'.gitignore': '.env\n',
	'.env': 'DATABASE=production\n',
};

export function initRepository({ folder }: Playground): void {
	execFileSync('git', ['init', '--quiet'], { cwd: folder });
}

/** Returns the findings, without the lines on the machine: `kind about text`. */
export function findingsOf({ stdout }: CliRun): string[] {
	const lines = stdout.replace(/\n {20}(?!To fix it:|\|)/g, ' ').split('\n');
	return lines.flatMap((line) => {
		const [, kind, about = '', text] = /^(ok|note|problem) +(\w+) +(.*)$/.exec(line) ?? [];
		return kind === undefined || ['machine', 'isolation'].includes(about) ? [] : [`${kind} ${about} ${text}`];
	});
}
