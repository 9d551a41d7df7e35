import { checkSeed } from "../run/checkSeed.js"
import { databases } from "../run/databases.js"

/**
 * Runs the histories from the seed of the first argument to that of the second, without those listed in the third,
 * until one breaks a promise. The fourth argument names the database. Prints a line of JSON before each history with
 * its seed, and one with the violation.
 */
const print = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`)

const textOf = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${error.cause === undefined ? "" : String(error.cause)}` : String(error)

const [from, to, skipped = "", name = "model"] = process.argv.slice(2)
const database = databases[name]
if (database === undefined) throw new Error(`there is no database ${name}`)
const skips = new Set(skipped.split(",").map(Number))
for (let seed = Number(from); seed <= Number(to); seed++) {
  if (skips.has(seed)) continue
  print({ seed })
  try {
    const [first] = checkSeed(seed, database).violations
    if (first === undefined) continue
    print({ promise: first.promise, text: first.text })
  } catch (error) {
    print({ promise: "history-runs", text: textOf(error) })
  }
  break
}
// Fibers of crashed processes wait for ever.
process.exit(0)
