import { defineConfig } from "tsup"
import { library } from "../../.ci/library.js"

export default defineConfig({ ...library, entry: ["src/index.ts", "src/driverless.ts"] })
