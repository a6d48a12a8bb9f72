/** Faults of a run, and when they strike. */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../src/stats/random.ts';
import type { Process } from './enclosure.ts';
import { BALLAST, PLACES, type Place } from './run-folder.ts';

const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
/** Fills up at once, but is large enough for a run. */
const DISK = 'size=64m,mode=0755';
const HUNT_POLL_MS = 50;
const CLOCK_JUMPS = ['+2d', '-2d', '+3600', '-3600', '+30', '-30'];
/** Longest time between the first and the second Ctrl-C. */
const TWICE_MS = 1_500;

/** A run that a fault can still strike. */
export interface Victim {
	/** The process that was started. */
	readonly pid: number;
	processes(): Process[];
	/** The first signal of a terminal or a runner. */
	interrupt(): void;
	hasEnded(): boolean;
	/** File with the offset of the clock. */
	readonly clock: string;
	/** Mount point of the small disk, if the run has one. */
	readonly disk: string;
}

type Kind = (process: Process, victim: Victim) => boolean;
const RUN: Kind = ({ pid }, victim) => pid === victim.pid;
const WATCHDOG: Kind = ({ command }) => /dist\/watchdog\.js/.test(command);
const GENERATOR: Kind = ({ command }) => /dist\/generator\.cjs/.test(command);
const SERVER: Kind = ({ command }) => /^(?:\S*\/)?node .*server\.mjs$/.test(command);
const ANY: Kind = () => true;

/** A fault; resolves to false if the run ended first. */
type Strike = (victim: Victim, random: Random) => Promise<boolean> | boolean;

const FAULTS: Readonly<Record<string, Strike>> = {
	none: () => false,
	'kill -9 of benchgate': killOf(RUN),
	'kill -9 of a watchdog': killOf(WATCHDOG),
	'kill -9 of benchgate and a watchdog': killOf(RUN, WATCHDOG),
	'kill -9 of the generator': killOf(GENERATOR),
	'kill -9 of a server': killOf(SERVER),
	'kill -9 of both servers': killOf(SERVER, SERVER),
	'kill -9 of any process': killOf(ANY),
	'Ctrl-C': (victim) => {
		victim.interrupt();
		return true;
	},
	'Ctrl-C twice': async (victim, random) => {
		victim.interrupt();
		await delay(random.next() * TWICE_MS);
		victim.interrupt();
		return true;
	},
	'full disk': ({ disk }) => {
		fill(disk);
		return true;
	},
	'clock jumps': ({ clock }, random) => {
		writeFileSync(clock, pick(CLOCK_JUMPS, random));
		return true;
	},
};
export type FaultName = string;

/** Causes a fault; returns whether it came before the end of the run. */
export async function strike(fault: FaultName, victim: Victim, random: Random): Promise<boolean> {
	return (await FAULTS[fault]?.(victim, random)) ?? false;
}

/** Returns the faults that this machine allows. */
export function possibleFaults(): FaultName[] {
	const mounts = process.getuid?.() === 0;
	return Object.keys(FAULTS).filter(
		(name) => (name !== 'clock jumps' || existsSync(FAKETIME)) && (name !== 'full disk' || mounts),
	);
}

export function pick<T>(items: readonly T[], random: Random): T {
	return items[Math.floor(random.next() * items.length)] as T;
}

/** Kills one process of each kind, all different, as soon as all exist. */
function killOf(...kinds: readonly Kind[]): Strike {
	return async (victim, random) => {
		while (!victim.hasEnded()) {
			const processes = chooseEach(kinds, victim, random);
			if (processes !== null) {
				for (const { pid } of processes) kill(pid);
				return true;
			}
			await delay(HUNT_POLL_MS);
		}
		return false;
	};
}

function chooseEach(kinds: readonly Kind[], victim: Victim, random: Random): Process[] | null {
	const all = victim.processes();
	const chosen: Process[] = [];
	for (const isOf of kinds) {
		const free = all.filter((process) => isOf(process, victim) && !chosen.includes(process));
		if (free.length === 0) return null;
		chosen.push(pick(free, random));
	}
	return chosen;
}

function kill(pid: number): void {
	try {
		process.kill(pid, 'SIGKILL');
	} catch {
		// It ended by itself.
	}
}

/** A small disk, mounted at a place in the folder of a run. */
export interface Disk {
	readonly path: string;
	/** Frees space so that the disk can be inspected. */
	makeRoom(): void;
	remove(): void;
}

export function mountDisk(folder: string, random: Random): Disk {
	const place: Place = pick(PLACES, random);
	const path = join(folder, place);
	spawnSync('mkdir', ['-p', path]);
	const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', DISK, 'tmpfs', path], { encoding: 'utf8' });
	if (status !== 0) throw new Error(stderr);
	return {
		path,
		makeRoom: () => rmSync(join(path, BALLAST), { force: true }),
		remove: () => void spawnSync('umount', ['-l', path]),
	};
}

function fill(disk: string): void {
	const ballast = openSync(join(disk, BALLAST), 'w');
	try {
		for (const block of [Buffer.alloc(1 << 20), Buffer.alloc(1 << 12)]) fillWith(ballast, block);
	} finally {
		closeSync(ballast);
	}
}

function fillWith(file: number, block: Buffer): void {
	try {
		for (;;) writeSync(file, block);
	} catch {
		// Full.
	}
}

/**
 * Variables for a wall clock with an offset from a file; the monotonic clock stays real, as when a machine's time is
 * set.
 */
export function fakeClock(file: string): Record<string, string> {
	writeFileSync(file, '+0');
	return {
		LD_PRELOAD: FAKETIME,
		FAKETIME_TIMESTAMP_FILE: file,
		// Seconds: reading the file at every call would slow a run down ten times.
		FAKETIME_CACHE_DURATION: '1',
		DONT_FAKE_MONOTONIC: '1',
		FAKETIME_DONT_FAKE_MONOTONIC: '1',
	};
}
