import { writeFileSync } from "node:fs"
import { adminTypes, adminTypesFile } from "./adminTypes.js"
import { contractTypes, contractTypesFile } from "./contractTypes.js"

writeFileSync(new URL(`../../../${contractTypesFile}`, import.meta.url), await contractTypes())
writeFileSync(new URL(`../../../${adminTypesFile}`, import.meta.url), await adminTypes())
