/** Running servers of every lane: possible owners of foreign connections. */
import type { Side } from '../../types/units.ts';

export interface Living {
	readonly side: Side;
	readonly port: number;
	readonly mark: string;
	readonly uid: number | null;
	pids(): readonly number[];
}

const servers = new Set<Living>();

export function noteLiving(server: Living): () => void {
	servers.add(server);
	return () => void servers.delete(server);
}

export function livingBeside(ports: readonly number[]): Living[] {
	return [...servers].filter(({ port }) => !ports.includes(port));
}
