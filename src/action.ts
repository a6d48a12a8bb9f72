/** Entry of dist/action.js. */
import './process/no-debugger.ts';
import './process/small-heap.ts';
import { runAction } from './action/run-action.ts';

await runAction();
// Exit despite GitHub's keep-alive sockets.
process.exit();
