/** Where baselines are kept unless `--store` says otherwise: a branch of its own, beside the code. */
export const DEFAULT_STORE = 'branch:benchgate';
