import { validatorOf } from '../validator-of.ts';
import { PUBLICATION_SCHEMA } from './publication-schema.ts';

export const validate = validatorOf(PUBLICATION_SCHEMA, 'artifact');
