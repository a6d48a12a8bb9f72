/** Which packages differ between the sides. */
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf } from '../../text/numbers.ts';
import { joinPhrases, type Phrase, phrase } from '../../text/phrase.ts';
import type { RevisionInfo } from '../../types/result.ts';

/** Differing packages named per server before the rest becomes a number. */
const MOST_NAMED = 8;
/** Servers listed before the rest becomes a number. */
const MOST_SERVERS = 12;

/**
 * Returns one phrase per server: which installed packages differ between the sides (`express 5.1.0 → 5.2.0`), the version of
 * the package named like the server, and how many are equal.
 */
export function listVersions(base: RevisionInfo, head: RevisionInfo): readonly Phrase[] {
	const servers = [...new Set([...Object.keys(base.versions), ...Object.keys(head.versions)])];
	const phrases = servers.slice(0, MOST_SERVERS).map((server) => describeServer(server, base, head));
	if (servers.length > MOST_SERVERS) phrases.push([`${servers.length - MOST_SERVERS} more servers in the JSON file`]);
	return phrases;
}

function describeServer(server: string, base: RevisionInfo, head: RevisionInfo): Phrase {
	const [on, off] = [packagesOf(base, server), packagesOf(head, server)];
	const names = [...new Set([...on.keys(), ...off.keys()])];
	const differing = names.filter((name) => on.get(name) !== off.get(name));
	const equal = names.length - differing.length;
	const own = !differing.includes(server) && on.has(server) ? [codePhrase(`${server} ${on.get(server)}`)] : [];
	const changed = differing
		.slice(0, MOST_NAMED)
		.map((name) => codePhrase(`${name} ${on.get(name) ?? 'none'} → ${off.get(name) ?? 'none'}`));
	const listed = joinPhrases([...own, ...changed], ', ');
	const more = differing.length > MOST_NAMED ? `, ${differing.length - MOST_NAMED} more differ` : '';
	const rest = names.length === 0 ? 'no packages recorded' : `${countOf(equal, 'package')} equal on both sides`;
	return phrase`${{ code: plainText(server, NAME_LIMIT) }}: ${listed}${more}${listed.length > 0 ? '; ' : ''}${rest}`;
}

/** As a map, because a package or server may be called `constructor`. */
function packagesOf({ versions }: RevisionInfo, server: string): ReadonlyMap<string, string> {
	return new Map(Object.entries(new Map(Object.entries(versions)).get(server) ?? {}));
}

function codePhrase(text: string): Phrase {
	return [{ code: plainText(text, 2 * NAME_LIMIT) }];
}
