import { defineConfig } from "tsup"
import { library } from "../../.ci/library.js"
import { copySwaggerUi } from "../../.ci/swaggerUi.js"

export default defineConfig({ ...library, onSuccess: copySwaggerUi })
