/** All commands, in a separate bundle that `benchgate --help` does not load. */
export { runBaselineExport } from './cli/baseline/export-baselines.ts';
export { runBaselineImport } from './cli/baseline/import-baselines.ts';
export { runBaselineList, runBaselineShow } from './cli/baseline/list-baselines.ts';
export { runMeasureCommand } from './cli/baseline/measure-command.ts';
export { runBaselinePrune } from './cli/baseline/prune-baselines.ts';
export { runBaselineSite } from './cli/baseline/site-command.ts';
export { runBisectCommand } from './cli/bisect-command.ts';
export { runCheckCommand } from './cli/check-command.ts';
export { runCompareCommand } from './cli/compare-command.ts';
export { runExplainCommand } from './cli/explain-command.ts';
export { runGatherCommand } from './cli/gather-command.ts';
export { runInitCommand } from './cli/init-command.ts';
export { runJudgeCommand } from './cli/judge-command.ts';
export { runListCommand } from './cli/list-command.ts';
export { runPlanCommand } from './cli/plan-command.ts';
export { runRankingCommand } from './cli/ranking-command.ts';
export { runSelftestCommand } from './cli/selftest-command.ts';
