import { type JsonSchema, texts } from '../file/config-schema-parts.ts';
import { PACKAGE_NAME, PLACE, PLACE_FORM } from './package-kind.ts';

/** Schema of `packages`. */
export const packages: JsonSchema = {
	...texts(
		'Packages that built-in servers run instead of theirs, on both sides: a version, a folder or a tarball.',
		{ pattern: PACKAGE_NAME, form: 'the name of a package, or of a built-in server' },
		{ ergo: './vendor/ergo' },
	),
	errorMessage: 'a mapping of package names to a version, a folder or a tarball',
	additionalProperties: { type: 'string', pattern: PLACE, errorMessage: PLACE_FORM },
};
