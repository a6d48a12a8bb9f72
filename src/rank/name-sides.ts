/** Separates our own words from a server's output. */
const QUOTES = ': ';
/** A side, with its server's name if that follows. */
const SIDE_SERVER =
	/\b[Tt]he (base|head) server(?: \S+(?: on \S+)?(?= (?:exited|did not listen|listens,|failed$)))?('s)?/g;
/** Owner of a leftover: `koa (head)`. */
const OF_SIDE = /^(the stop command of )?\S+(?: on \S+)? \((base|head)\)/;

/** Returns a message with server names in place of base and head, except in a server's output. */
export function nameSides(message: string, server: string, reference: string): string {
	const plain = (side: string) => (side === 'base' ? reference : server);
	const nameOf = (side: string) => (side === 'base' && reference !== server ? `${reference}, the reference,` : server);
	const end = message.indexOf(QUOTES);
	const ownWords = end < 0 ? message : message.slice(0, end);
	const named = ownWords
		.replace(SIDE_SERVER, (_, side, possessive) => (possessive ? `${plain(side)}'s` : nameOf(side)))
		.replace(OF_SIDE, (_, what = '', side) => `${what}${plain(side)}`)
		.replace(/^base and head\b/, `${reference} and ${server}`)
		.replace(/^([\d.]+ % of the [a-z ]+ of )(base|head)(?= )/, (_, share, side) => `${share}${nameOf(side)}`)
		.replace(/\bbase answered (\S+ %) and head (?=\S+ %)/, `${reference} answered $1 and ${server} `)
		.replace(/^(base|head)(?= (?:gave|did|answers) )/, (_, side) => nameOf(side));
	return `${named}${message.slice(ownWords.length)}`.replace(
		/ on base but (\S.*) on head$/,
		` from ${reference} but $1 from ${server}`,
	);
}
