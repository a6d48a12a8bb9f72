import { validatorOf } from '../validator-of.ts';
import { PUBLICATION_SCHEMA } from './publication-schema.ts';

/** Whether a value has the shape of a publication, and its sizes. */
export const validate = validatorOf(PUBLICATION_SCHEMA, 'artifact');
