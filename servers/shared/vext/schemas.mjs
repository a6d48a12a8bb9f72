/** The schemas of `fixtures.mjs` in schema-dsl, the language of Vext's validation. */
export const userRules = { name: 'string:1-!', email: 'string:1-!' };
export const nameRules = { name: 'string!' };

/** `compileField` makes a rule that the text form cannot express. */
export const profileRules = ({ compileField }) => ({
	username: 'string:3-32!',
	email: 'email!',
	age: 'integer:18-120!',
	score: 'number:0-100!',
	role: 'user|admin|editor!',
	status: 'active|inactive|pending!',
	active: 'boolean!',
	tags: 'array:0-10<string>!',
	'address!': {
		street: 'string!',
		city: 'string!',
		zip: compileField('string!').pattern(/^[0-9]{5}$/),
		country: 'CN|US|DE!',
	},
	'preferences!': {
		theme: 'light|dark!',
		notifications: 'boolean!',
		pageSize: 'integer:1-100!',
	},
});
