import { databases } from "../run/databases.js"
import { checkHistory } from "./checkHistory.js"

/** Runs the history of each seed that its parent sends, and answers with the result. Arguments: database, `twice`. */
const [database = "", twice] = process.argv.slice(2)
const open = databases[database]
if (open === undefined) throw new Error(`There is no database ${database}.`)
process.on("message", (seed: number) => process.send?.(checkHistory(seed, open, twice === "twice")))
process.on("disconnect", () => process.exit(0))
