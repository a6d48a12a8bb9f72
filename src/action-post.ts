/**
 * Entry of dist/action-post.js. A separate program from the step: a step killed before it saved any state would look
 * like one that has not started, and run again.
 */
import './process/no-debugger.ts';
import { runPost } from './action/run-post.ts';

await runPost();
// Exit despite GitHub's keep-alive sockets.
process.exit();
