// Prints the package.json of the image: the host's bundle needs only the packages with native parts.
import { readFileSync } from "node:fs"

const host = JSON.parse(readFileSync(new URL("../../hosts/standalone/package.json", import.meta.url), "utf8"))
const outside = ["better-sqlite3", "pg"].map((name) => [name, host.dependencies[name]])
console.log(
  JSON.stringify(
    { name: "parley-host", private: true, type: "module", dependencies: Object.fromEntries(outside) },
    null,
    2
  )
)
