import { defineConfig } from "tsup"
import { copySwaggerUi } from "../../.ci/swaggerUi.js"

export default defineConfig({
  entry: ["src/main.ts"],
  format: ["esm"],
  dts: false,
  sourcemap: true,
  clean: true,
  target: "node20",
  // One file loads several times faster than the hundreds it is made of; what has native parts stays outside.
  noExternal: [/^(?!(better-sqlite3|pg)(\/|$))/],
  // What is CommonJS in the bundle asks for Node's own modules by `require`.
  banner: { js: 'import { createRequire } from "node:module"\nconst require = createRequire(import.meta.url)' },
  esbuildOptions: (options) => {
    options.conditions = ["parley-source"]
    // The sources are there, in this repository and in node_modules.
    options.sourcesContent = false
  },
  onSuccess: copySwaggerUi
})
