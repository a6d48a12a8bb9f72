import type { Raw } from '../../types/result.ts';
import { validatorOf } from '../validator-of.ts';
import { RAW_SCHEMA } from './raw-schema.ts';

/** Whether a value has the shape of raw data. */
export const validate = validatorOf<Raw>(RAW_SCHEMA);
