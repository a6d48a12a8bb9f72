/** How to draw a report for a terminal. */
export interface ReportStyle {
	readonly colour: boolean;
	/** Columns. */
	readonly width: number;
}

/** Width of the report where the terminal does not say. */
const DEFAULT_WIDTH = 100;

/** Prints a report on stdout: in colour on a terminal unless NO_COLOR is set, and as wide as the terminal is. */
export function printReport(render: (style: ReportStyle) => string): void {
	const { stdout } = process;
	const colour = stdout.isTTY === true && process.env.NO_COLOR === undefined;
	stdout.write(`${render({ colour, width: stdout.columns ?? DEFAULT_WIDTH })}\n`);
}
