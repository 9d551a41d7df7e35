import { treeOf } from "./src/commands/CommandTree.js"
import { parley } from "./src/commands/parley.js"
import { pagesToJson } from "./src/commands/requestedPage.js"

// Prints the pages of the command, for `build.ts`.
const { name, sections, version, what } = parley
console.log(pagesToJson({ version, root: treeOf(name, what, sections) }))
