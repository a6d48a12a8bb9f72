/** Validates bodies with Zod. */
import * as z from 'zod';
import { zodForFastify } from '../shared/zod-validation.mjs';

export const { bookingSchema, nameSchema, profileSchema, userSchema, validation } = zodForFastify(z);
