import { caliber, vext } from '../../../current.mjs';
import { makeLayers } from '../../../layers.mjs';

const layers = makeLayers(vext, caliber === 'default');

/** Each layer of a route by its name, as `{ name: 'layer', options: { use } }`. */
export default vext.defineMiddlewareFactory(({ use, number }) => {
	const make = layers[use];
	return make(number);
});
