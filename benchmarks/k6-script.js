// One request after another, as fast as they are answered.
import http from 'k6/http';

export default function () {
	http.get(__ENV.ORIGIN);
}
