import { CHANGES_SCHEMA } from '../../types/trend.ts';
import { validatorOf } from '../validator-of.ts';

export const validate = validatorOf(CHANGES_SCHEMA);
