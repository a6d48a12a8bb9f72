import { RAW_SCHEMA } from '../../types/result.ts';
import { ROUND } from '../../types/round.ts';
import { limited } from '../../types/schema.ts';
import { validatorOf } from '../validator-of.ts';

export const validate = validatorOf(limited(ROUND, { $defs: RAW_SCHEMA.$defs }));
