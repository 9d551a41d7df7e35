import type { Options } from "tsup"

/** How every published package is built: ESM with types, from its `src/index.ts`. */
export const library: Options = {
  entry: ["src/index.ts"],
  format: ["esm"],
  dts: true,
  sourcemap: true,
  clean: true,
  target: "node20"
}
