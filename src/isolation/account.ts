import { chmod, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { USER_NAME } from './side-user.ts';

/**
 * Writes copies of the machine's lists of users and groups into `folder`, with the side's user and group added, for programs that ask
 * who they run as. Returns which file is to be seen in place of which. The machine's own lists stay as they are.
 */
export async function describeAccount(
	folder: string,
	home: string,
	uid: number,
): Promise<{ path: string; by: string }[]> {
	const entries = {
		'/etc/passwd': `${USER_NAME}:x:${uid}:${uid}::${home}:/bin/sh`,
		'/etc/group': `${USER_NAME}:x:${uid}:`,
	};
	const masks: { path: string; by: string }[] = [];
	for (const [path, entry] of Object.entries(entries)) {
		const text = await readFile(path, 'utf8').catch(() => null);
		if (text === null) continue;
		const others = text.split('\n').filter((line) => line !== '' && !line.startsWith(`${USER_NAME}:`));
		const by = join(folder, path.slice('/etc/'.length));
		await writeFile(by, `${[...others, entry].join('\n')}\n`);
		// Whatever our umask is.
		await chmod(by, 0o644);
		masks.push({ path: await realpath(path), by });
	}
	return masks;
}
