/** A head that stops or kills processes of the run during a measurement: never green, even without a known culprit. */
import { testStopped } from './foreign-connections.ts';

testStopped('harm-rival', 'the base server');
