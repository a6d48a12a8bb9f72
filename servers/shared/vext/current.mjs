/** The Vext that is installed in the server's own folder, and how it is to run: set before the files of the application are read. */
export let vext;
export let adapter;
/** `core`: what the published benchmark switches off is off; `default`: what Vext has on by itself is on. */
export let caliber;

export function use(installed, name, chosen) {
	vext = installed;
	adapter = name;
	caliber = chosen;
}
