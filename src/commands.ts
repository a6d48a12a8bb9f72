/** Every command, in a bundle of its own: `benchgate --help` does not load it. */
export { runCompareCommand } from './commands/compare.ts';
export { runInitCommand } from './commands/init.ts';
export { runJudgeCommand } from './commands/judge.ts';
export { runListCommand } from './commands/list.ts';
export { runSelftestCommand } from './commands/selftest.ts';
