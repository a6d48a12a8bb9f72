/** Entry of dist/action.js: the step itself, and the post step, which concludes what a step that was cut off left open. */
import './process/no-debugger.ts';
import { runAction } from './action/run-action.ts';
import { runPost } from './action/run-post.ts';
import { isPost } from './action/step-state.ts';

await (isPost() ? runPost() : runAction());
// Sockets that GitHub keeps alive must not keep the job waiting.
process.exit();
