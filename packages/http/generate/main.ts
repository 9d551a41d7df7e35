import { writeFileSync } from "node:fs"
import { errorPage, errorPageFile } from "./errorPage.js"

writeFileSync(new URL(`../../../${errorPageFile}`, import.meta.url), errorPage())
