import { BASELINE_SCHEMA } from '../../types/baseline.ts';
import { validatorOf } from '../validator-of.ts';

export const validate = validatorOf(BASELINE_SCHEMA);
