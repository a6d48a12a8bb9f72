/** User ids that distributions, containers and directory services leave alone, and that fit into an old tar header. */
export const RUN_USERS = { first: 2_000_000, count: 90_000 };
/** In a container with a short map of user ids: above what systemd gives away, below `nobody`. */
export const FEW_RUN_USERS = { first: 65_520, count: 12 };

/** Returns whether a user id is one that only runs of benchgate take, and only one run at a time: all its processes are one side's. */
export function isRunUser(uid: number): boolean {
	return [RUN_USERS, FEW_RUN_USERS].some(({ first, count }) => uid >= first && uid < first + count);
}
