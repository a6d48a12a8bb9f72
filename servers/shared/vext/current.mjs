/** The Vext of the server's own folder, and its settings; set before the files of the application are read. */
export let vext;
export let adapter;
/** `core`: with the settings of the published benchmark; `default`: with Vext's defaults. */
export let caliber;

export function use(installed, name, chosen) {
	vext = installed;
	adapter = name;
	caliber = chosen;
}
