import { formatCount } from '../../text/numbers.ts';

/** Returns an amount a request. */
export function formatWork(amount: number): string {
	return amount < 100 ? `${Number(amount.toFixed(2))}` : formatCount(amount);
}
