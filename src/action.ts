/** Entry of dist/action.js: the step itself. */
import './process/no-debugger.ts';
import './process/small-heap.ts';
import { runAction } from './action/run-action.ts';

await runAction();
// Sockets that GitHub keeps alive must not keep the job waiting.
process.exit();
