import { existsSync, readFileSync } from "node:fs"
import Module from "node:module"

/** A file of Swagger UI: beside this module where it was built, else from the package that it comes from. */
export const swaggerUiFile = (name: "swagger-ui-bundle.js" | "swagger-ui.css"): string => {
  const beside = new URL(`./swagger-ui/${name}`, import.meta.url)
  return readFileSync(
    existsSync(beside) ? beside : Module.createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`),
    "utf8"
  )
}
