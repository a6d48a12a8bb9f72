/** Node's own types name these and say nothing of their constructors. */
declare namespace WebAssembly {
	class Module {
		constructor(bytes: Uint8Array);
	}
	class Instance {
		constructor(module: Module);
		readonly exports: Readonly<Record<string, unknown>>;
	}
}
