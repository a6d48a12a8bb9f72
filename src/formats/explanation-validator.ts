import { BOUND_EXPLANATION } from './explanation-schema.ts';
import { validatorOf } from './validator-of.ts';

export const validate = validatorOf(BOUND_EXPLANATION, 'artifact');
