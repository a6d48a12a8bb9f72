/** The part of a user's settings that builds may know. */

/** Keys of npm's settings that say where packages come from and how they are fetched; none of them is a secret. */
const NPM_KEYS =
	/^(registry|@[^:=\s]+:registry|(https?-)?proxy|https-proxy|noproxy|cafile|ca(\[\])?|strict-ssl|fetch-[\w-]+|maxsockets|prefer-offline|offline|legacy-peer-deps|engine-strict|omit|include|node-options|nodedir)\s*=/;
/** What would show a password: in an address, or as a variable that holds one. */
const SECRET = /:\/\/[^/\s]*@|\$\{/;
/** Sections of a repository's configuration that builds may know: what the repository is, not how one gets into another. */
const GIT_SECTIONS = /^\s*\[(core|extensions|remote|branch|submodule)\b/i;
const SECTION = /^\s*\[/;

/** Files below a home that say where package managers fetch from, and the lines of them that builds of foreign code may know. */
export const PUBLIC_SETTINGS: Readonly<Record<string, RegExp>> = {
	'.npmrc': NPM_KEYS,
	'.yarnrc': /^(registry|strict-ssl|cafile|(https?-)?proxy|network-timeout)\s/,
	'.yarnrc.yml': /^(npmRegistryServer|httpProxy|httpsProxy|httpsCaFilePath|caFilePath|enableStrictSsl|httpTimeout)\s*:/,
	'.config/pip/pip.conf': /^(\[(global|install)\]$|(index-url|extra-index-url|trusted-host|cert|proxy|timeout)\s*=)/,
	'.config/go/env': /^(GOPROXY|GOSUMDB|GONOSUMDB|GONOSUMCHECK|GOPRIVATE|GOINSECURE|GOTOOLCHAIN)=/,
};

/** Returns the lines that builds may know of a user's settings; `keys` says which. */
export function publicSettings(text: string, keys: RegExp): string {
	const lines = text.split('\n').map((line) => line.trimEnd());
	return lines
		.filter((line) => keys.test(line) && !SECRET.test(line))
		.map((line) => `${line}\n`)
		.join('');
}

/** Returns a repository's configuration without sections and addresses that hold or lead to secrets. */
export function publicGitConfig(text: string): string {
	let shown = true;
	const keep = (line: string) => {
		if (SECTION.test(line)) shown = GIT_SECTIONS.test(line);
		return shown && !SECRET.test(line);
	};
	return text.split('\n').filter(keep).join('\n');
}
