import { defineConfig } from "tsup"
import { library } from "../../.ci/library.js"

export default defineConfig({ ...library, entry: { index: "src/index.ts", layers: "src/layers/index.ts" } })
