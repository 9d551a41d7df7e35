import { writeFileSync } from "node:fs"
import { contractTypes, contractTypesFile } from "./contractTypes.js"

writeFileSync(new URL(`../../../${contractTypesFile}`, import.meta.url), await contractTypes())
