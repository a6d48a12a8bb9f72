export { DEFAULT_STORE } from '../../types/baseline.ts';
