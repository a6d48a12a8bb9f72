import type { BaselineRecord } from '../../types/baseline.ts';
import { validatorOf } from '../validator-of.ts';
import { BASELINE_SCHEMA } from './baseline-schema.ts';

/** Whether a value has the shape of a baseline. */
export const validate = validatorOf<BaselineRecord>(BASELINE_SCHEMA);
