import type { Options } from "tsup"

/**
 * How every published package is built: ESM, from its `src/index.ts`. `npm run build` adds the declarations of
 * `.ci/types.mjs`.
 */
export const library: Options = {
  entry: ["src/index.ts"],
  format: ["esm"],
  sourcemap: true,
  clean: true,
  target: "node20"
}
