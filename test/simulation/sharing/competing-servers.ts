/**
 * Two servers on one CPU, each behind a closed loop of connections, simulated event by event, in a duet and alone. A
 * server is single-threaded: a request computes, waits for something else than the CPU, computes again, and is
 * answered.
 */
import { createRandom, type Random } from '../../../src/stats/random.ts';
import { type Fraction, SIDES, type Side, type Sides } from '../../../src/types/units.ts';

export interface ServerModel {
	/** Milliseconds of waiting without the CPU. */
	readonly wait: number;
	/** Milliseconds of CPU. */
	readonly service: number;
}

export interface Setting {
	readonly servers: Sides<ServerModel>;
	readonly connections: number;
	/**
	 * Which server computes while both want to: both at half speed, like under a scheduler, or always base, unlike any.
	 */
	readonly policy: 'sharing' | 'base first';
	/** Waits end once in so many milliseconds, in a phase of each server's own, as timers of Node do; 0: at any time. */
	readonly tick: number;
	/** Whether times are drawn from exponential distributions; else each is its mean. */
	readonly random: boolean;
}

/** Measurements over the counted time. */
export interface Outcome {
	/** Answers per millisecond; 0 for a side without load. */
	readonly rates: Sides<number>;
	/** Share of the time in which neither server wanted the CPU, and in which both did. */
	readonly idle: Fraction;
	readonly contention: Fraction;
}

/** Simulated milliseconds, and those before counting starts. */
const LENGTH = 1_000;
const UNCOUNTED = 200;

interface Job {
	left: number;
	readonly answers: boolean;
}

interface Timer {
	readonly at: number;
	readonly side: Side;
	/** The rest of a request, or the next one. */
	readonly resumes: boolean;
}

/** Runs `sides` together. Same setting and seed, same outcome. */
export function simulateServers(setting: Setting, sides: readonly Side[], seed: number): Outcome {
	// A side draws the same alone and in a duet.
	const random: Sides<Random> = { base: createRandom(seed, 0), head: createRandom(seed, 1) };
	const phases = { base: random.base.next() * setting.tick, head: random.head.next() * setting.tick };
	const queues: Sides<Job[]> = { base: [], head: [] };
	const answers = { base: 0, head: 0 };
	let timers: Timer[] = sides.flatMap((side) =>
		Array.from({ length: setting.connections }, () => ({ at: random[side].next(), side, resumes: false })),
	);
	let [now, idle, contention] = [0, 0, 0];
	while (now < LENGTH) {
		const wanting = SIDES.filter((side) => queues[side].length > 0);
		const speeds = speedsOf(wanting, setting.policy);
		const ends = wanting.map((side) => (queues[side][0] as Job).left / speeds[side]);
		const step = Math.min(nextAt(timers) - now, ...ends);
		const counted = now + step - Math.max(now, UNCOUNTED);
		if (counted > 0 && wanting.length === 0) idle += counted;
		if (counted > 0 && wanting.length === 2) contention += counted;
		now += step;
		for (const side of wanting) {
			const job = queues[side][0] as Job;
			job.left -= step * speeds[side];
			if (job.left > 1e-9) continue;
			queues[side].shift();
			if (job.answers && now > UNCOUNTED) answers[side]++;
			timers.push(
				job.answers
					? { at: now, side, resumes: false }
					: endOfWait(setting, side, now, { random: random[side], phase: phases[side] }),
			);
		}
		const due = timers.filter(({ at }) => at <= now + 1e-9);
		if (due.length === 0) continue;
		timers = timers.filter(({ at }) => at > now + 1e-9);
		for (const { side, resumes } of due) {
			const left = draw(setting.servers[side].service / 2, setting, random[side]);
			queues[side].push({ left, answers: resumes });
		}
	}
	const time = LENGTH - UNCOUNTED;
	return {
		rates: { base: answers.base / time, head: answers.head / time },
		idle: idle / time,
		contention: contention / time,
	};
}

/** Log ratio of head's throughput to base's in a duet, and alone; with the use of the duet's CPU. */
export function compareServers(setting: Setting, seed: number): { duet: number; alone: number; seen: Outcome } {
	const seen = simulateServers(setting, SIDES, seed);
	const rateOf = (side: Side) => simulateServers(setting, [side], seed).rates[side];
	return {
		duet: Math.log(seen.rates.head / seen.rates.base),
		alone: Math.log(rateOf('head') / rateOf('base')),
		seen,
	};
}

function speedsOf(wanting: readonly Side[], policy: Setting['policy']): Sides<number> {
	if (wanting.length < 2) return { base: 1, head: 1 };
	return policy === 'sharing' ? { base: 0.5, head: 0.5 } : { base: 1, head: 1e-12 };
}

function nextAt(timers: readonly Timer[]): number {
	return timers.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
}

function endOfWait(
	setting: Setting,
	side: Side,
	now: number,
	{ random, phase }: { random: Random; phase: number },
): Timer {
	const wait = draw(setting.servers[side].wait, setting, random);
	return { at: roundUp(now + wait - phase, setting.tick) + phase, side, resumes: true };
}

function draw(mean: number, { random: isRandom }: Setting, random: Random): number {
	return isRandom ? -Math.log1p(-random.next()) * mean : mean;
}

function roundUp(time: number, step: number): number {
	return step === 0 ? time : Math.ceil(time / step) * step;
}
