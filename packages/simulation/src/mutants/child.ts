import { checkSeed } from "../run/checkSeed.js"
import { modelDatabase } from "../run/modelDatabase.js"

/**
 * Runs the histories of the seeds from 1 to the first argument, until one breaks a promise. Prints a line of JSON
 * before each history with its seed, and one with the violation.
 */
const print = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`)

const textOf = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${error.cause === undefined ? "" : String(error.cause)}` : String(error)

const histories = Number(process.argv[2])
for (let seed = 1; seed <= histories; seed++) {
  print({ seed })
  try {
    const [first] = checkSeed(seed, modelDatabase).violations
    if (first === undefined) continue
    print({ promise: first.promise, text: first.text })
  } catch (error) {
    print({ promise: "history-runs", text: textOf(error) })
  }
  break
}
// Fibers of crashed processes wait for ever.
process.exit(0)
