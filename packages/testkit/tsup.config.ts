import { defineConfig } from "tsup"
import { library } from "../../.ci/library.js"

export default defineConfig({
  ...library,
  entry: [
    "src/index.ts",
    "src/rows.ts",
    "src/services.ts",
    "src/databases.ts",
    "src/startPostgres.ts",
    "src/conformance/index.ts"
  ],
  onSuccess: "cp src/postgresServer.mjs dist/"
})
