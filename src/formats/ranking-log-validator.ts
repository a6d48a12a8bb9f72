import { LOG_SCHEMA } from '../types/ranking/ranking.ts';
import { validatorOf } from './validator-of.ts';

export const validate = validatorOf(LOG_SCHEMA);
