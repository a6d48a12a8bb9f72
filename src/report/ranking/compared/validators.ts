/** The table of validators. */
import { writeRank } from '../../../rank/rank.ts';
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../../text/escape.ts';
import { NONE } from '../../../text/numbers.ts';
import type { RankedServer, RankingRow } from '../../../types/ranking/ranking.ts';
import type { WordedTable } from '../../document/document.ts';
import { own, writePart, writeRate } from '../ranking-figures.ts';
import { nameOf } from '../ranking-words.ts';

const SCENARIO = 'validate-10';
/** Ajv is last, because many packages depend on it. */
const VALIDATORS = ['typebox', '@sinclair/typebox', 'zod', 'joi', 'class-validator', 'schema-dsl', 'ajv'] as const;

/** Returns the servers with their validators, in ranking order; null with fewer than two kinds. */
export function validatorsTable(
	scenarios: readonly { readonly name: string; readonly rows: readonly RankingRow[] }[],
	servers: readonly RankedServer[],
): WordedTable | null {
	const { rows = [] } = scenarios.find(({ name }) => name === SCENARIO) ?? {};
	const placed = rows.flatMap((row) =>
		row.rank === null ? [] : [{ row, rank: row.rank, by: validatorOf(row, servers) }],
	);
	const [first] = placed;
	const kinds = new Set(placed.flatMap(({ by }) => by?.name ?? []));
	if (first === undefined || kinds.size < 2) return null;
	const rightColumn = (label: string) => ({ label, align: 'right' as const });
	const leftColumn = (label: string) => ({ label, align: 'left' as const });
	return {
		title: 'Validators',
		columns: [
			rightColumn('rank'),
			leftColumn('validator'),
			leftColumn('server'),
			rightColumn('requests/s'),
			rightColumn('of the first'),
		],
		rows: placed.map(({ row, rank, by }) => [
			own(writeRank(rank)),
			by === null ? own(NONE) : [{ text: plainText(`${by.name} ${by.version}`, NAME_LIMIT) }],
			nameOf(row.server),
			own(writeRate(row)),
			own(writePart(row, first.row)),
		]),
		note: plainText(
			`What each server validates the ten fields of ${SCENARIO} with, read from its packages. The figures include parsing, routing and answering, so compare validators on one framework.`,
			MESSAGE_LIMIT,
		),
	};
}

function validatorOf(
	{ server }: RankingRow,
	servers: readonly RankedServer[],
): { readonly name: string; readonly version: string } | null {
	const { versions = {}, direct = [] } = servers.find(({ name }) => name === server) ?? {};
	const name =
		VALIDATORS.find((one) => direct.includes(one) && versions[one] !== undefined) ??
		VALIDATORS.find((one) => versions[one] !== undefined);
	return name === undefined ? null : { name, version: versions[name] ?? '' };
}
