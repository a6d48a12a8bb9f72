import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { findDatabase } from '../databases.ts';
import { healthIn, type Service } from '../find-service.ts';
import { findGoRoutes } from './go-routes.ts';
import { listSources } from './list-sources.ts';

const PROGRAM = 'benchgate-server';
const MAIN = /^package main\b/m;
const SERVES = /\bListenAndServe(?:TLS)?\(|\bhttp\.Serve\(|\.(?:Run|Listen|Start)\(/;
// By its name or a tag; Run() of gin and AutomaticEnv() of viper read it by themselves.
const READS_PORT = /"PORT[",]|\.Run\(\)|\bAutomaticEnv\(/;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

export async function findGo(cwd: string): Promise<Service | null> {
	const module = await readFile(path.join(cwd, 'go.mod'), 'utf8').catch(() => null);
	if (module === null) return null;
	const sources = [...(await listSources(cwd, '.go'))].map(([file, text]) => ({
		folder: path.posix.dirname(file),
		text: text.replace(COMMENT, ''),
	}));
	const texts = Map.groupBy(sources, ({ folder }) => folder);
	const mains = [...texts].flatMap(([folder, files]) => {
		const text = files.map((file) => file.text).join('\n');
		return MAIN.test(text) ? [{ folder, text }] : [];
	});
	const all = sources.map(({ text }) => text);
	// If the code that listens is in another package, the program is known only if there is just one.
	const mainPackage =
		mains.find(({ text }) => SERVES.test(text)) ??
		(mains.length === 1 && all.some((text) => SERVES.test(text)) ? mains[0] : undefined);
	if (mainPackage === undefined) return null;
	const routes = findGoRoutes(all);
	return {
		command: `exec ./${PROGRAM}`,
		prepare: `go build -trimpath -buildvcs=false -o ${PROGRAM} ${mainPackage.folder === '.' ? '.' : `./${mainPackage.folder}`}`,
		reason: `${mainPackage.folder === '.' ? 'its main package' : mainPackage.folder} listens`,
		routes,
		health: healthIn(routes),
		database: findDatabase([...modulesOf(module), ...all.flatMap(driversOf)]),
		readsPort: all.some((text) => READS_PORT.test(text)),
	};
}

function driversOf(text: string): string[] {
	return [...text.matchAll(/^\s*(?:import\s+)?_\s+"([^"]+)"/gm)].map(([, name = '']) => name);
}

function modulesOf(module: string): string[] {
	const lines = module.split('\n').filter((line) => !line.includes('// indirect'));
	return lines.flatMap(
		(line) =>
			/^\s*(?:require\s+)?([\w.-]+\.[a-z]+\/\S+|gorm\.io\/\S+|modernc\.org\/\S+)\s+v\d/
				.exec(line)?.[1]
				?.replace(/\/v\d+$/, '') ?? [],
	);
}
