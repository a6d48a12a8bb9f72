/** Every command, in a bundle of its own: `benchgate --help` does not load it. */
export { runCompareCommand } from './cli/compare-command.ts';
export { runInitCommand } from './cli/init-command.ts';
export { runJudgeCommand } from './cli/judge-command.ts';
export { runListCommand } from './cli/list-command.ts';
export { runSelftestCommand } from './cli/selftest-command.ts';
