import { EXPLANATION_SCHEMA } from '../types/explain.ts';
import { validatorOf } from './validator-of.ts';

export const validate = validatorOf(EXPLANATION_SCHEMA);
