/** Sends itself the signal that opens Node's debugger, with its secrets taken or not, and prints whether it opened. */
import { url } from 'node:inspector';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeSecrets } from '../../../src/action/secrets.ts';

const taken = process.argv[2] === 'take';
if (taken) takeSecrets();
// Listening to a signal does not keep a process alive.
setInterval(() => {}, 1000);
process.kill(process.pid, 'SIGUSR1');
// Opening takes a moment, and is certain without a listener to the signal. A listener here would itself keep it shut.
for (let turn = 0; url() === undefined && (!taken || turn < 50); turn++) await sleep(20);
process.stdout.write(JSON.stringify({ debugger: url() !== undefined }), () => process.exit());
