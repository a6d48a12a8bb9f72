import { homedir } from 'node:os';
import { join } from 'node:path';

/** npm's registry: each run of act has a new home. */
export const NPM = Object.fromEntries(
	Object.entries({ npm_config_userconfig: join(homedir(), '.npmrc'), ...process.env }).filter(([name]) =>
		/^(npm_config_(userconfig|registry|cafile)|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|https?_proxy|no_proxy)$/i.test(
			name,
		),
	),
) as Record<string, string>;
