import { shellWord } from '../text/escape.ts';

/** A side's view of files and processes. Paths are absolute, without links. */
export interface View {
	/** Folders that look empty, or show the writable folder `by`. */
	readonly covers: readonly { readonly path: string; readonly mode: string; readonly by?: string }[];
	/** Paths below covered folders that stay visible. */
	readonly shown: readonly string[];
	/** Files shown in place of others. */
	readonly masks: readonly { readonly path: string; readonly by: string }[];
	/** Writable folders shown in place of others. */
	readonly swaps: readonly { readonly path: string; readonly by: string }[];
	/** Folders that keep their permissions; everything else is read-only. */
	readonly writable: readonly string[];
	/** Temporary mount point. It contains no path named above. */
	readonly stage: string;
	/** `of-user` shows only processes of the user, `of-namespace` only those of the process namespace. */
	readonly processes: 'visible' | 'of-user' | 'of-namespace';
}

/** The kernel's file systems. Only root can write them, and programs need them unchanged. */
const KERNEL = ['proc', 'sysfs', 'devpts', 'devtmpfs', 'securityfs', 'debugfs', 'tracefs', 'bpf'];
/** Announces the finished view. The keeper's process id follows. */
export const READY = 'view-ready';
const SHOWN = 'processes-shown';

/**
 * Returns a shell script for root of a new mount namespace. The script builds the view, announces it, and keeps it
 * until stdin closes.
 */
export function viewScript(view: View): string {
	const inside = (path: string) => view.covers.some((cover) => isBelow(path, cover.path));
	const behind = [...new Set([...view.shown, ...view.writable])].filter(inside);
	// Returns where a covered path is still visible.
	const staged = (path: string) => shellWord(`${view.stage}${path}`);
	const swapped = view.swaps.map(({ path }) => path);
	const open = [
		...view.writable,
		...swapped,
		...view.covers.flatMap(({ path, by, mode }) => (by || isOpen(mode) ? [path] : [])),
	];
	return [
		'set -eu; umask 022',
		// Starting programs delays every run: one mount stages everything, and folders are created together.
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
		// Keeps the namespace until the run ends.
		'exec cat >/dev/null',
	].join('\n');
}

/** Returns the mount points that stayed writable and that no cover hides. */
export function openMounts(output: string, view: View): string[] {
	return saidOf(output, 'open').filter((path) => !view.covers.some((cover) => isBelow(path, cover.path)));
}

/** Returns masked paths replaced meanwhile. */
export function goneMounts(output: string): string[] {
	return saidOf(output, 'gone');
}

function saidOf(output: string, word: string): string[] {
	return output.split('\n').flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));
}

export function showsProcesses(output: string): boolean {
	return output.split('\n').includes(SHOWN);
}

/**
 * A mount may fail in a container whose /proc is partly covered. A process namespace needs its own /proc: the outer one
 * describes other processes.
 */
function mountProcesses(which: View['processes']): string[] {
	const mount = 'mount -t proc -o nosuid,nodev,noexec';
	if (which === 'of-user') return [`${mount},hidepid=2 proc /proc 2>/dev/null || echo ${SHOWN}`];
	return which === 'of-namespace' ? [`${mount} proc /proc`] : [];
}

/**
 * Makes mounts read-only except the kernel's and the given ones, and prints those that refuse. Also prints lost masks:
 * the kernel drops a mount when its file is replaced, such as by an edit.
 */
function protect(open: readonly string[], masks: View['masks']): string {
	const skipped = [...KERNEL.map((type) => `*" - ${type} "*`)].join('|');
	return [
		'mounts=$(cat /proc/self/mountinfo)',
		...masks.map(({ path }) => {
			const [listed, line] = [` ${asListed(path)} `, `gone ${path}`].map(shellWord);
			return `case "$mounts" in *${listed}*) ;; *) printf "%s\\n" ${line};; esac`;
		}),
		'each() { action=$1; printf "%s\\n" "$mounts" | while read -r line; do',
		`case "$line" in ${skipped}) continue;; esac`,
		'set -f; set -- $line; set +f',
		'case "$5" in *\\\\*) path=$(printf "%b" "$5");; *) path=$5;; esac; flags=$6',
		`case "$path" in ${[...open.map(shellWord), "''"].join('|')}) continue;; esac`,
		'case "$flags" in ro|ro,*) continue;; esac',
		'"$action" "$5"',
		'done; }',
		'row() { printf "none %s none remount,bind,ro%s 0 0\\n" "$1" "${flags#rw}"; }',
		'alone() {',
		'mount -o "remount,bind,ro${flags#rw}" none "$path" 2>/dev/null && return',
		'case "$(cat /proc/self/mountinfo)" in *" $1 "*) echo "open $path";; *) echo "gone $path";; esac',
		'}',
		// One program for all mounts; those that it left are tried alone.
		'each row | mount -a -T /dev/stdin >/dev/null 2>&1 || true',
		'mounts=$(cat /proc/self/mountinfo)',
		'each alone',
	].join('\n');
}

/** Returns a script that masks a file again and keeps the flags of its mount, which may be locked. */
export function maskScript({ path, by }: View['masks'][number]): string {
	const target = shellWord(path);
	return [
		`mount --bind ${shellWord(by)} ${target} || exit 1; flags=`,
		`while read -r line; do set -f; set -- $line; set +f; [ "$5" != ${shellWord(asListed(path))} ] || flags=$6; done </proc/self/mountinfo`,
		`case "$flags" in rw*) mount -o "remount,bind,ro${'${flags#rw}'}" none ${target} || exit 1;; esac`,
	].join('\n');
}

export function hideScript(shown: readonly string[], hidden: readonly string[]): string {
	const [unmount, mount] = ['umount -l', 'mount -t tmpfs -o ro,mode=0555,size=4k none'];
	return [
		...shown.map((path) => `${unmount} ${shellWord(path)}`),
		...hidden.map((path) => `${mount} ${shellWord(path)}`),
	]
		.map((command) => `${command} || exit 1`)
		.join('\n');
}

export function listMountPoints(mountinfo: string): Set<string> {
	const listed = mountinfo.split('\n').map((line) => line.split(' ', 5)[4] ?? '');
	return new Set(
		listed.map((path) => path.replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)))),
	);
}

/** Returns a script that ends with a digit per path: 1 for a mount point, else 0. */
export function mountedScript(paths: readonly string[]): string {
	return [
		'places=$(while read -r _ _ _ _ place _; do printf "%s\\n" "$place"; done </proc/self/mountinfo) || exit 1',
		"line=; places='\n'$places'\n'",
		...paths.map((path) => {
			const place = shellWord(`\n${asListed(path)}\n`);
			return `case "$places" in *${place}*) line="$line"1;; *) line="$line"0;; esac`;
		}),
		// Written to stderr. The reader takes the last line, because sudo may print before it.
		'echo "$line" >&2',
	].join('\n');
}

/** Writes a path as the kernel's mount list does. */
function asListed(path: string): string {
	return path.replace(/[ \t\n\\]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

function isOpen(mode: string): boolean {
	return mode === '1777';
}

/** Returns false for the folder itself. */
export function isBelow(path: string, folder: string): boolean {
	return path.startsWith(folder === '/' ? '/' : `${folder}/`) && path !== folder;
}

function byDepth<T>(items: readonly T[], pathOf: (item: T) => string): T[] {
	return [...items].sort((a, b) => pathOf(a).length - pathOf(b).length);
}
