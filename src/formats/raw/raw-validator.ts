import { RAW_SCHEMA } from '../../types/result.ts';
import { validatorOf } from '../validator-of.ts';

/** Whether a value has the shape of raw data. */
export const validate = validatorOf(RAW_SCHEMA);
