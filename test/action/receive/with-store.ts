import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Raw } from '../../../src/types/result.ts';
import { publicationCase } from '../../formats/publication-cases.ts';
import { startGitServer } from '../../store/git-server.ts';
import type { DoubleState } from '../../support/github/types.ts';
import { artifactOf, CONTENTS, type Reporting, report, TIP } from './reporting.ts';

const GREEN = publicationCase('unchanged');

/** Makes a repository whose branch `benchgate` has these files, at `address` for git. Returns that branch's tip. */
export async function serveStore(t: TestContext, files: Readonly<Record<string, string>>, address: string) {
	const server = await startGitServer(t);
	server.commit('benchgate', files, { orphan: true });
	const home = mkdtempSync(join(tmpdir(), 'benchgate-home-'));
	writeFileSync(join(home, '.gitconfig'), `[url "${server.remote.url}"]\n\tinsteadOf = ${address}\n`);
	const before = process.env.HOME;
	process.env.HOME = home;
	t.after(() => {
		if (before === undefined) delete process.env.HOME;
		else process.env.HOME = before;
		rmSync(home, { recursive: true, force: true });
	});
	return { home, tip: server.git('rev-parse', 'benchgate') };
}

/** Returns the options of reports with a store of these files. */
export async function storeOf(t: TestContext, files: Readonly<Record<string, string>>) {
	const { home, tip } = await serveStore(t, files, 'https://github.example/o/r.git');
	const refs = { 'heads/main': TIP, 'heads/benchgate': tip };
	return async (raw: Raw | string, given: Reporting & { readonly contents?: DoubleState['contents'] } = {}) => {
		const { contents = CONTENTS, state, ...more } = given;
		const artifacts = [await artifactOf(GREEN, {}, raw)];
		return report(t, { artifacts, runner: { tempFolder: home }, state: { refs, contents, ...state }, ...more });
	};
}
