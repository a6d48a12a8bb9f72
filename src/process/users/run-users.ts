/** User ids that distributions, containers and directory services leave unused, and that fit into an old tar header. */
export const RUN_USERS = { first: 2_000_000, count: 90_000 };
/** User ids for containers with a short user id map: above systemd's ranges, below `nobody`. */
export const FEW_RUN_USERS = { first: 65_520, count: 12 };

/** Whether only benchgate takes this user id, for one run at a time: all its processes belong to one side. */
export function isRunUser(uid: number): boolean {
	return [RUN_USERS, FEW_RUN_USERS].some(({ first, count }) => uid >= first && uid < first + count);
}
