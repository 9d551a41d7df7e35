import { copyFileSync, mkdirSync } from "node:fs"
import { createRequire } from "node:module"
import { join, resolve } from "node:path"

const files = ["swagger-ui-bundle.js", "swagger-ui.css", "LICENSE", "NOTICE"]

/** Puts what the documentation's page is made of beside a bundle that serves it; called from the bundle's package. */
export const copySwaggerUi = async (): Promise<void> => {
  const require = createRequire(resolve("../../packages/http/package.json"))
  mkdirSync("dist/swagger-ui", { recursive: true })
  for (const file of files) copyFileSync(require.resolve(`swagger-ui-dist/${file}`), join("dist/swagger-ui", file))
}
