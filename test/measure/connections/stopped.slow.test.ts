/** The same for our own processes. */
import { testStopped } from './foreign-connections.ts';

testStopped('harm-generator', 'the load generator');
testStopped('harm-watcher', 'the process that watches connections');
