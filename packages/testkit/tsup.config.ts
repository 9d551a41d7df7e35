import { defineConfig } from "tsup"
import { library } from "../../tsup.config.js"

export default defineConfig({
  ...(Array.isArray(library) ? library[0] : library),
  entry: ["src/index.ts", "src/rows.ts", "src/startPostgres.ts"],
  onSuccess: "cp src/postgresServer.mjs dist/"
})
