import type { SideUser } from '../../types/isolation.ts';
import { signalGroup } from '../processes.ts';

/** Our own user in the place of a side's: nothing is changed, and nothing is protected. */
export const SAME_USER: SideUser = {
	uid: null,
	environment: (inherited) => ({ ...inherited }),
	launch: (argv, { cwd, env }) => ({ argv, cwd, env }),
	signalGroup,
	endAll: async () => 0,
	give: async () => {},
	seal: async () => {},
	allow: async () => {},
};
