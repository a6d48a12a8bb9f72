import { RAW_SCHEMA } from '../../types/result.ts';
import { validatorOf } from '../validator-of.ts';

export const validate = validatorOf(RAW_SCHEMA);
