import type { Publication } from '../../types/action-run.ts';
import { validatorOf } from '../validator-of.ts';
import { PUBLICATION_SCHEMA } from './publication-schema.ts';

/** Whether a value has the shape of a publication, and its sizes. */
export const validate = validatorOf<Publication>(PUBLICATION_SCHEMA, 'artifact');
