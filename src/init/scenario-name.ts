/** Longest name a config takes is 64, and a number may follow. */
const NAME_LENGTH = 56;

/** Returns a name for a scenario that `names` does not have yet, as close to `text` as names may be, and adds it to them. */
export function chooseName(text: string, otherwise: string, names: Set<string>): string {
	const plain =
		text
			.replace(/[^A-Za-z0-9._-]+/g, '-')
			.replace(/^[^A-Za-z0-9]+|[-.]+$/g, '')
			.slice(0, NAME_LENGTH) || otherwise;
	let name = plain;
	for (let number = 2; names.has(name); number++) name = `${plain}-${number}`;
	names.add(name);
	return name;
}
