/** Node's own types refer to these classes but lack their constructors. */
declare namespace WebAssembly {
	class Module {
		constructor(bytes: Uint8Array);
	}
	class Instance {
		constructor(module: Module);
		readonly exports: Readonly<Record<string, unknown>>;
	}
}
