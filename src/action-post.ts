/**
 * Entry of dist/action-post.js: the post step, which concludes what a step that was cut off left open. It is a program of its own: a
 * step that was cut off before it could leave a word would otherwise be taken for one that has not begun, and be done now.
 */
import './process/no-debugger.ts';
import { runPost } from './action/run-post.ts';

await runPost();
// Sockets that GitHub keeps alive must not keep the job waiting.
process.exit();
