/** Signals at the stages that take long to reach. */
import { test } from 'node:test';
import { interrupt, MEASURING, WARMING_UP } from './interruption.ts';

const skip = process.platform !== 'linux' && 'needs /proc';

test('SIGTERM while warming up', { skip }, (t) => interrupt(t, 'SIGTERM', WARMING_UP));

test('SIGKILL while measuring', { skip }, (t) => interrupt(t, 'SIGKILL', MEASURING));
