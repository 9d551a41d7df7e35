import type { Options } from "tsup"

/**
 * How every published package is built: ESM with types, from its `src/index.ts`. `npm run typecheck` has checked the
 * sources of the other packages: the types are made from their built types, not from their sources.
 */
export const library: Options = {
  entry: ["src/index.ts"],
  format: ["esm"],
  dts: { compilerOptions: { customConditions: [] } },
  sourcemap: true,
  clean: true,
  target: "node20"
}
