import { describeCluster, describeInProcess } from './hosting.ts';

describeCluster('node-http');
describeInProcess('hono');
describeInProcess('node-http');
