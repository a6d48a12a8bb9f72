import { shellWord } from '../text/shell-word.ts';

/** What one side sees of the machine's files and processes. All paths are absolute, without links. */
export interface View {
	/** Folders that look empty, with their mode; what `by` names is seen there instead, and can be written. */
	readonly covers: readonly { readonly path: string; readonly mode: string; readonly by?: string }[];
	/** What stays visible although it lies below a covered folder. */
	readonly shown: readonly string[];
	/** Files that are seen in place of others. */
	readonly masks: readonly { readonly path: string; readonly by: string }[];
	/** Folders that are seen in place of others, and can be written. */
	readonly swaps: readonly { readonly path: string; readonly by: string }[];
	/** Folders that keep their permissions; everything else cannot be written. */
	readonly writable: readonly string[];
	/** A place for the time of building the view; nothing named above lies there. */
	readonly stage: string;
	/** How other processes are hidden: by the user they belong to, or because the namespace has none but its own. */
	readonly processes: 'visible' | 'of-user' | 'of-namespace';
}

/** Mounts of the kernel's that only root can write anyway, and that programs need as they are. */
const KERNEL = ['proc', 'sysfs', 'devpts', 'devtmpfs', 'securityfs', 'debugfs', 'tracefs', 'bpf'];
/** Says that the view stands; the id of the process that keeps it follows. */
export const READY = 'view-ready';
const SHOWN = 'processes-shown';

/**
 * Returns a script for /bin/sh, run as root of a mount namespace of its own, that builds the view, says so in one line, and
 * then keeps the namespace until its stdin is closed.
 */
export function viewScript(view: View): string {
	const inside = (path: string) => view.covers.some((cover) => isBelow(path, cover.path));
	const behind = [...new Set([...view.shown, ...view.writable])].filter(inside);
	// Where a path is seen that something covers.
	const staged = (path: string) => shellWord(`${view.stage}${path}`);
	const swapped = view.swaps.map(({ path }) => path);
	const open = [
		...view.writable,
		...swapped,
		...view.covers.flatMap(({ path, by, mode }) => (by || isOpen(mode) ? [path] : [])),
	];
	return [
		'set -eu; umask 022',
		// Every program that is started delays each run: all is staged by one, and folders are made together.
		`mount --rbind / ${shellWord(view.stage)}`,
		'folder() { [ -d "$1" ] || mkdir -p "$1"; }',
		'place() { [ -d "$1" ] || { folder "${2%/*}"; [ -e "$2" ] || : >"$2"; }; mount --bind "$1" "$2"; }',
		...byDepth(view.covers, ({ path }) => path).map(({ path, mode, by }) =>
			by === undefined
				? `mount -t tmpfs -o mode=${mode} none ${shellWord(path)}`
				: `mount --bind ${staged(by)} ${shellWord(path)}`,
		),
		'set --',
		...behind.map((path) => `[ ! -d ${staged(path)} ] || set -- "$@" ${shellWord(path)}`),
		'[ $# = 0 ] || mkdir -p "$@"',
		...byDepth(behind, (path) => path).map((path) => `place ${staged(path)} ${shellWord(path)}`),
		...view.writable
			.filter((path) => !inside(path))
			.map((path) => `mount --bind ${shellWord(path)} ${shellWord(path)}`),
		...byDepth(view.swaps, ({ path }) => path).map(
			({ path, by }) => `folder ${shellWord(path)}; mount --bind ${staged(by)} ${shellWord(path)}`,
		),
		...view.masks.map(({ path, by }) => `mount --bind ${staged(by)} ${shellWord(path)}`),
		`umount -l ${shellWord(view.stage)}`,
		protect(open, view.masks),
		...mountProcesses(view.processes),
		`echo "${READY} $$"`,
		// Holds the namespace; ends when the run does, however that ends.
		'exec cat >/dev/null',
	].join('\n');
}

/** Returns the mount points that stayed writable and are not covered, from what the script printed. */
export function openMounts(output: string, view: View): string[] {
	return saidOf(output, 'open').filter((path) => !view.covers.some((cover) => isBelow(path, cover.path)));
}

/** Returns what is not seen in the place of others any more, because somebody replaced these meanwhile, from what the script printed. */
export function goneMounts(output: string): string[] {
	return saidOf(output, 'gone');
}

function saidOf(output: string, word: string): string[] {
	return output.split('\n').flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));
}

/** Returns whether other processes stayed visible that were to be hidden, from what the script printed. */
export function showsProcesses(output: string): boolean {
	return output.split('\n').includes(SHOWN);
}

/** A container whose own /proc is covered in parts may make none that shows them. Behind a process namespace ours would be of others. */
function mountProcesses(which: View['processes']): string[] {
	const mount = 'mount -t proc -o nosuid,nodev,noexec';
	if (which === 'of-user') return [`${mount},hidepid=2 proc /proc 2>/dev/null || echo ${SHOWN}`];
	return which === 'of-namespace' ? [`${mount} proc /proc`] : [];
}

/**
 * Makes every mount read-only but those of the kernel's and the given ones, and names what refused. The kernel takes a mount from a
 * file that somebody replaces, as all do who change a list of users or a configuration: what is gone is named too.
 */
function protect(open: readonly string[], masks: View['masks']): string {
	const skipped = [...KERNEL.map((type) => `*" - ${type} "*`)].join('|');
	return [
		'mounts=$(cat /proc/self/mountinfo)',
		...masks.map(({ path }) => {
			const [listed, line] = [` ${asListed(path)} `, `gone ${path}`].map(shellWord);
			return `case "$mounts" in *${listed}*) ;; *) printf "%s\\n" ${line};; esac`;
		}),
		'printf "%s\\n" "$mounts" | while read -r line; do',
		`case "$line" in ${skipped}) continue;; esac`,
		'set -f; set -- $line; set +f',
		'case "$5" in *\\\\*) path=$(printf "%b" "$5");; *) path=$5;; esac; flags=$6',
		`case "$path" in ${[...open.map(shellWord), "''"].join('|')}) continue;; esac`,
		'case "$flags" in ro|ro,*) continue;; esac',
		'mount -o "remount,bind,ro${flags#rw}" none "$path" 2>/dev/null && continue',
		'case "$(cat /proc/self/mountinfo)" in *" $5 "*) echo "open $path";; *) echo "gone $path";; esac',
		'done',
	].join('\n');
}

/** Returns a script that covers a file again behind a view that stands: with the flags that its mount has, which may be locked. */
export function maskScript({ path, by }: View['masks'][number]): string {
	const target = shellWord(path);
	return [
		`mount --bind ${shellWord(by)} ${target} || exit 1; flags=`,
		`while read -r line; do set -f; set -- $line; set +f; [ "$5" != ${shellWord(asListed(path))} ] || flags=$6; done </proc/self/mountinfo`,
		`case "$flags" in rw*) mount -o "remount,bind,ro${'${flags#rw}'}" none ${target} || exit 1;; esac`,
	].join('\n');
}

/** Returns a script that reveals folders hidden behind an existing view, and hides others. */
export function hideScript(shown: readonly string[], hidden: readonly string[]): string {
	const [unmount, mount] = ['umount -l', 'mount -t tmpfs -o ro,mode=0555,size=4k none'];
	return [
		...shown.map((path) => `${unmount} ${shellWord(path)}`),
		...hidden.map((path) => `${mount} ${shellWord(path)}`),
	]
		.map((command) => `${command} || exit 1`)
		.join('\n');
}

/** Returns the places of all mounts in the kernel's list of a mount namespace. */
export function listMountPoints(mountinfo: string): Set<string> {
	const listed = mountinfo.split('\n').map((line) => line.split(' ', 5)[4] ?? '');
	return new Set(
		listed.map((path) => path.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)))),
	);
}

/** Returns a script that prints a digit for each path, as its last line: 1 for the place of a mount where it runs, else 0. */
export function mountedScript(paths: readonly string[]): string {
	return [
		'places=$(while read -r _ _ _ _ place _; do printf "%s\\n" "$place"; done </proc/self/mountinfo) || exit 1',
		"line=; places='\n'$places'\n'",
		...paths.map((path) => {
			const place = shellWord(`\n${asListed(path)}\n`);
			return `case "$places" in *${place}*) line="$line"1;; *) line="$line"0;; esac`;
		}),
		// What comes before a command, such as sudo, may have said something there.
		'echo "$line" >&2',
	].join('\n');
}

/** As the kernel writes a path into its list of mounts. */
function asListed(path: string): string {
	return path.replace(/[ \t\n\\]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

function isOpen(mode: string): boolean {
	return mode === '1777';
}

/** Returns whether `path` lies strictly below `folder`. */
export function isBelow(path: string, folder: string): boolean {
	return path.startsWith(folder === '/' ? '/' : `${folder}/`) && path !== folder;
}

function byDepth<T>(items: readonly T[], pathOf: (item: T) => string): T[] {
	return [...items].sort((a, b) => pathOf(a).length - pathOf(b).length);
}
