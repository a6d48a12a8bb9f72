// autocannon as it is: URL, connections, seconds → requests answered, seconds, and the CPU seconds of its load alone.
import autocannon from 'autocannon';

const [url, connections, duration] = process.argv.slice(2);
const first = process.cpuUsage();
const { requests, duration: seconds } = await autocannon({ url, connections: +connections, duration: +duration });
const { user, system } = process.cpuUsage(first);
console.log(JSON.stringify({ requests: requests.total, seconds, cpuSeconds: (user + system) / 1e6 }));
