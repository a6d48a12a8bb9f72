/** What the janitor tells the watchdogs. */
import type { ControlGroup, GuardedUser } from '../types/run-services.ts';

export type Guarded =
	| { readonly kind: 'group'; readonly pid: number }
	| ({ readonly kind: 'user' } & GuardedUser)
	| ({ readonly kind: 'control-group' } & ControlGroup)
	| { readonly kind: 'marker'; readonly entry: string }
	| { readonly kind: 'worktree'; readonly repository: string; readonly path: string }
	| { readonly kind: 'directory'; readonly path: string }
	| { readonly kind: 'lock'; readonly path: string };

/** `closing`: the run ends by itself, so nothing of it is between fork and exec. */
export type WatchdogLine =
	| { readonly add: number; readonly what: Guarded }
	| { readonly remove: number }
	| { readonly closing: true };

/** Argument of the watchdog that stands by. */
export const STANDS_BY = 'stands-by';
