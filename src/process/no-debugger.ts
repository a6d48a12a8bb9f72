/** Closes the debugger before other code runs. Every program of ours imports this file first. */
import { refuseDebugger } from './debugger.ts';

refuseDebugger();
