/** Imported first by every program of ours: nothing else runs before the debugger is shut. */
import { refuseDebugger } from './debugger.ts';

refuseDebugger();
