/** How tinyhttp is loaded: as an ES module. */
export { App } from '@tinyhttp/app';
