import { release } from 'node:os';

export function isKernelSince([major, minor]: readonly [number, number]): boolean {
	const [ours = 0, minorOfOurs = 0] = release().split('.').map(Number);
	return ours > major || (ours === major && minorOfOurs >= minor);
}

/**
 * Whether /proc hides other users' processes (`hidepid`) from these groups. `mounts` is the text of /proc/self/mounts.
 */
export function hidesOtherUsers(mounts: string, groups: readonly number[]): boolean {
	const options = mounts.split('\n').flatMap((line) => {
		const [, place, type, all = ''] = line.split(' ');
		return place === '/proc' && type === 'proc' ? [new Map(all.split(',').map(splitOption))] : [];
	});
	// The last mount covers earlier ones.
	const last = options.at(-1);
	const hidden = last?.get('hidepid') ?? 'off';
	if (['off', '0'].includes(hidden)) return false;
	// `ptraceable` checks only ptrace rights; the other kinds exempt one group, by default root's.
	return ['ptraceable', '4'].includes(hidden) || !groups.includes(Number(last?.get('gid') ?? 0));
}

function splitOption(option: string): [string, string] {
	const [name = '', value = ''] = option.split('=', 2);
	return [name, value];
}
