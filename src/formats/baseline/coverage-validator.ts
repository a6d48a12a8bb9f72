import { SUBJECT_COVERAGE } from '../../types/coverage.ts';
import { validatorOf } from '../validator-of.ts';

export const validate = validatorOf(SUBJECT_COVERAGE, 'artifact');
