import { PROBE_MESSAGE } from '../types/probe.ts';
import { validatorOf } from './validator-of.ts';

export const validate = validatorOf(PROBE_MESSAGE, 'artifact');
