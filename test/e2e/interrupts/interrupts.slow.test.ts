/** Signals at stages that take long to reach. */
import { test } from 'node:test';
import { interrupt, MEASURING, SETTING_UP, WARMING_UP } from './interruption.ts';

const skip = process.platform !== 'linux' && 'needs /proc';

test('SIGTERM while warming up', { skip }, (t) => interrupt(t, 'SIGTERM', WARMING_UP));

test('SIGKILL while measuring', { skip }, (t) => interrupt(t, 'SIGKILL', MEASURING));

test('SIGKILL while the start commands of both servers run', { skip }, (t) => interrupt(t, 'SIGKILL', SETTING_UP));
