/** The Vext that is installed in the server's own folder, and how it is to run: set before the files of the application are read. */
export let vext;
export let adapter;

export function use(installed, name) {
	vext = installed;
	adapter = name;
}
