/** Finds a Rust service of axum, actix-web, Rocket, warp or poem. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { findDatabase } from '../databases.ts';
import { healthIn, type Service } from '../find-service.ts';
import { joinPaths } from '../follow-imports.ts';
import { listSources } from './list-sources.ts';

const FRAMEWORK = /^\s*["']?(axum|actix-web|rocket|warp|poem|salvo|tide)["']?\s*(?:=|\.)/m;
const READS_PORT = /\benv::var\(\s*"PORT"|\benv\s*=\s*"PORT"|\benv!\("PORT"/;
const OWN_PORT =
	/"[\d.]+:\d{2,5}"|\(\s*\[\s*\d+(?:\s*,\s*\d+){3}\s*\]\s*,\s*\d{2,5}\s*\)|\(\s*"[\d.]+"\s*,\s*\d{2,5}\s*\)/;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const ROUTED = /\.(?:route|at)\(\s*"(\/[^"]*)"\s*,\s*([^;]{0,200}?)(?=\n\s*\.|\)\s*;|$)/gm;
const ATTRIBUTE = /#\[get\(\s*"(\/[^"]*)"/g;
const RESOURCE = /web::resource\(\s*"(\/[^"]*)"\s*\)\s*(?:\.\w+\([^;]{0,200}?)?\.route\(\s*web::get/g;
const PREFIX = /\.nest\(\s*"(\/[^"]*)"|web::scope\(\s*"(\/[^"]*)"|\.mount\(\s*"(\/[^"]*)"/g;

function sectionOf(manifest: string, name: string): string {
	return new RegExp(`^\\[${name}\\][^\\n]*\\n((?:(?!^\\[)[^\\n]*\\n?)*)`, 'm').exec(manifest)?.[1] ?? '';
}

export async function findRust(cwd: string): Promise<Service | null> {
	const manifest = await readFile(path.join(cwd, 'Cargo.toml'), 'utf8').catch(() => null);
	const dependencies = sectionOf(manifest ?? '', 'dependencies');
	const framework = FRAMEWORK.exec(dependencies)?.[1];
	if (manifest === null || framework === undefined) return null;
	const sources = [...(await listSources(cwd, '.rs'))].map(
		([file, text]) => [file, text.replace(COMMENT, '')] as const,
	);
	const main =
		sources.find(([file]) => file === 'src/main.rs') ?? sources.find(([file]) => /^src\/bin\/[^/]+\.rs$/.test(file));
	const bins = [...manifest.matchAll(/^\[\[bin\]\][^[]*?^name\s*=\s*"([^"]+)"/gm)].map(([, name = '']) => name);
	const defaultRun = /^default-run\s*=\s*"([^"]+)"/m.exec(manifest)?.[1];
	const packageName = /^name\s*=\s*"([^"]+)"/m.exec(sectionOf(manifest, 'package'))?.[1];
	const program =
		defaultRun ??
		bins[0] ??
		(main?.[0] === 'src/main.rs' ? packageName : main?.[0].slice('src/bin/'.length, -'.rs'.length));
	if (program === undefined || (main === undefined && bins.length === 0)) return null;
	const texts = sources.filter(([file]) => !file.startsWith('src/bin/') || file === main?.[0]).map(([, text]) => text);
	const routes = findRustRoutes(texts);
	const names = [...dependencies.matchAll(/^\s*["']?([\w-]+)["']?\s*(?:=|\.)/gm)].map(([, name = '']) => name);
	const sql = /^sqlx\b[\s\S]{0,200}?"(postgres|mysql|sqlite)"/m.exec(dependencies)?.[1];
	// Rocket reads its own variables.
	const variables =
		framework === 'rocket' ? 'ROCKET_ADDRESS="$HOST" ROCKET_PORT="$PORT" ROCKET_LOG_LEVEL=critical ' : '';
	const isLocked = await readFile(path.join(cwd, 'Cargo.lock')).then(
		() => true,
		() => false,
	);
	return {
		command: `${variables}exec ./target/release/${program}`,
		prepare: `cargo build --release${isLocked ? ' --locked' : ''} --bin ${program}`,
		reason: `its Cargo.toml has ${framework}`,
		routes,
		health: healthIn(routes),
		database: findDatabase(sql === undefined ? names : [`sqlx-${sql}`]),
		readsPort:
			framework === 'rocket' || texts.some((text) => READS_PORT.test(text))
				? true
				: texts.some((text) => OWN_PORT.test(text))
					? false
					: null,
	};
}

function findRustRoutes(texts: readonly string[]): readonly string[] {
	const prefixes = [
		...new Set(
			texts.flatMap((text) =>
				[...text.matchAll(PREFIX)].map((match) => match.slice(1).find((each) => each !== undefined) ?? ''),
			),
		),
	];
	const real = prefixes.filter((prefix) => prefix !== '/');
	const [prefix = ''] = real;
	const routes = texts.flatMap((text) =>
		[
			...[...text.matchAll(ROUTED)].filter(([, , handler = '']) => /\bget(?:_service)?\(/.test(handler)),
			...text.matchAll(ATTRIBUTE),
			...text.matchAll(RESOURCE),
		]
			.toSorted((one, other) => one.index - other.index)
			.map(([, route = '']) => route),
	);
	if (real.length > 1) return [];
	const isNested = real.length === 1;
	// With one prefix, a try shows which routes it stands before.
	return [...new Set(routes.map((route) => (isNested ? joinPaths(prefix, route) : route)))];
}
