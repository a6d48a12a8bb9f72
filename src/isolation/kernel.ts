import { release } from 'node:os';

/** Whether Linux is of this version or newer here. */
export function isKernelSince([major, minor]: readonly [number, number]): boolean {
	const [ours = 0, minorOfOurs = 0] = release().split('.').map(Number);
	return ours > major || (ours === major && minorOfOurs >= minor);
}
