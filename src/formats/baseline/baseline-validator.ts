import { BASELINE_SCHEMA } from '../../types/baseline.ts';
import { validatorOf } from '../validator-of.ts';

/** Whether a value has the shape of a baseline. */
export const validate = validatorOf(BASELINE_SCHEMA);
