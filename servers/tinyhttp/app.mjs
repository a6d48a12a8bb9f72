/** Loads tinyhttp as an ES module. */
export { App } from '@tinyhttp/app';
