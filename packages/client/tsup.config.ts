import { defineConfig } from "tsup"
import { library } from "../../.ci/library.js"

export default defineConfig({
  ...library,
  entry: { index: "src/index.ts", admin: "src/admin/index.ts" },
  format: ["esm", "cjs"],
  // Bundled, once for each format.
  dts: true,
  // Both entries of the CommonJS build share the class of errors.
  splitting: true,
  keepNames: true
})
