/** Closes the debugger before other code runs: every program of ours imports this first. */
import { refuseDebugger } from './debugger.ts';

refuseDebugger();
