import type { ControlGroup, GuardedUser } from '../types/run-services.ts';

export type Guarded =
	| { readonly kind: 'group'; readonly pid: number }
	| ({ readonly kind: 'user' } & GuardedUser)
	| ({ readonly kind: 'control-group' } & ControlGroup)
	| { readonly kind: 'marker'; readonly entry: string }
	| { readonly kind: 'worktree'; readonly repository: string; readonly path: string }
	| { readonly kind: 'directory'; readonly path: string }
	| { readonly kind: 'lock'; readonly path: string };

/** `closing` announces a normal end, at which no process of the run is between fork and exec. */
export type WatchdogLine =
	| { readonly add: number; readonly what: Guarded }
	| { readonly remove: number }
	| { readonly closing: true };

export const STANDS_BY = 'stands-by';
