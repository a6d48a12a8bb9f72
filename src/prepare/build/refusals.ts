/** A package manager's refusal to install, and a remedy. */
export interface Refused {
	readonly line: string;
	readonly remedy: string;
}

const REFUSALS: readonly { readonly says: RegExp; readonly remedy: (match: RegExpExecArray) => string }[] = [
	{
		says: /Failed to replace env in config: \$\{(\w+)[^}]*\}|Environment variable not found \((\w+)\)/,
		remedy: ([, npm, yarn]) =>
			`its .npmrc or .yarnrc.yml asks for the variable ${npm ?? yarn}, which a build is not given; where public packages do, leave it empty: "prepare: ${npm ?? yarn}= npm ci" with your own install command`,
	},
	{
		says: /Cannot find matching keyid|Invalid signature|Signature does not match/i,
		remedy: () =>
			'corepack does not know the key its package manager is signed with: update it (npm install --global corepack@latest), or install the package manager itself',
	},
	{
		says: /\b(?:EACCES|EROFS): .*\bcorepack\b/,
		remedy: () =>
			'corepack may not write there: leave it out of the command; pnpm, yarn and bun are fetched through npm where they are not on PATH',
	},
	{
		says: /This version of pnpm requires at least Node\.js v?(\d[\d.]*\d)/,
		remedy: ([, version]) => `the pnpm of this repository needs Node ${version} or later: --node PATH`,
	},
	{
		says: /code EBADENGINE|ERR_PNPM_UNSUPPORTED_ENGINE|The engine "node" is incompatible/i,
		remedy: () => 'run it with a Node that its "engines" accept: --node PATH',
	},
	{
		says: /ERR_PNPM_OUTDATED_LOCKFILE|`npm ci` can only install packages when your package\.json|YN0028|lockfile needs to be updated|lockfile had changes, but lockfile is frozen/,
		remedy: () =>
			'the lockfile of this revision does not fit its package.json; say how to install it anyway, e.g. "prepare: npm install"',
	},
	{
		says: /ERR_PNPM_BAD_PM_VERSION|ERR_PNPM_OTHER_PM_EXPECTED|This project is configured to use \w+|This project's package\.json defines "packageManager"/,
		remedy: () =>
			'put the package manager that its "packageManager" names on your PATH, or take it off: then it is fetched through npm',
	},
	{
		says: /EINTEGRITY|ERR_PNPM_TARBALL_INTEGRITY|YN0018|Integrity check failed|Mismatch hashes/,
		remedy: () => 'the registry gives something else than the lockfile names: look at the registry setting of npm',
	},
	{
		says: /ERR_PNPM_(?:TRUST_DOWNGRADE|NO_MATURE_MATCHING_VERSION|IGNORED_BUILDS|MISSING_HOISTED_LOCATIONS)\b/,
		remedy: () => 'pnpm holds it back by a setting of the repository (pnpm-workspace.yaml or .npmrc)',
	},
	{
		// Only lockfiles name tarballs; package.json names versions.
		says: /(ERR_PNPM_FETCH_404).*\.tgz|\b404\b.*\.tgz\b|\.tgz: (Request failed) "404\b|(YN0035):.*Package not found/,
		remedy: ([, pnpm, yarn, berry]) => {
			const install =
				pnpm !== undefined
					? 'pnpm install --no-lockfile'
					: yarn !== undefined
						? 'yarn install --no-lockfile'
						: berry !== undefined
							? 'rm yarn.lock && yarn install --no-immutable'
							: 'npm install --no-package-lock';
			return `the registry does not have, or no longer has, a version that the lockfile names; install what package.json allows instead, e.g. "prepare: ${install} && npm run build"`;
		},
	},
	{
		says: /code (?:E401|E403|ENEEDAUTH)\b|ERR_PNPM_FETCH_40[13]|YN0041/,
		remedy: () => 'the registry wants a login: it must work with the npm settings of your user',
	},
	{
		says: /code EUNKNOWNCONFIG|Unknown (?:project|user|env) config "([^"\n]+)"\. This is not supported/,
		remedy: ([, key]) =>
			`npm refuses the setting ${key ?? ''} in .npmrc: use the npm it was written for`.replace('  ', ' '),
	},
];
/** Longer lines are not messages (characters). */
const LINE = 500;

export function findRefusal(output: string): Refused | null {
	for (const { says, remedy } of REFUSALS) {
		const line = output.split('\n').find((each) => says.test(each.slice(0, LINE)));
		const match = line === undefined ? null : says.exec(line.slice(0, LINE));
		if (line !== undefined && match !== null) return { line: line.slice(0, LINE).trim(), remedy: remedy(match) };
	}
	return null;
}

const MISSING = /^(?:\/\S*\/)?(?:ba|da)?sh: (?:(?:line )?\d+: )?([^\s:]+): (?:command )?not found$/;

export function findMissingProgram(output: string): Refused | null {
	const line = output.split('\n').findLast((each) => MISSING.test(each.slice(0, LINE)));
	const [, program] = MISSING.exec(line ?? '') ?? [];
	if (line === undefined || program === undefined) return null;
	const remedy =
		program === 'corepack'
			? 'this Node brings no corepack: leave it out of the command; pnpm, yarn and bun are fetched through npm where they are not on PATH'
			: `put ${program} on the PATH of benchgate, or install the package that brings it first ("prepare: npm ci && …")`;
	return { line, remedy };
}
