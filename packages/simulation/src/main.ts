import { parseArgs } from "node:util"
import type { HistoryResult } from "./histories/checkHistory.js"
import { addToLedger, cleanCommit } from "./histories/ledger.js"
import { runHistories } from "./histories/runHistories.js"
import { checkSeed, shrink } from "./run/checkSeed.js"
import { databases } from "./run/databases.js"
import { storyOf } from "./run/storyOf.js"

const usage = `npm run simulate -- [options]
  --seed N          the first seed (default 1)
  --count N         the number of histories (default 100)
  --database NAME   model (default) or sqlite
  --processes N     the number of processes (default 1)
  --twice           run each history twice, and compare the journals
  --ledger          add the run to packages/simulation/ledger.jsonl; the working tree must be that of a commit
  --trace           print the history of the first seed
  --keep            do not shrink failing histories`

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "100" },
    database: { type: "string", default: "model" },
    processes: { type: "string", default: "1" },
    twice: { type: "boolean", default: false },
    ledger: { type: "boolean", default: false },
    trace: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    help: { type: "boolean", default: false }
  }
})
const { database, twice } = values
const open = databases[database]
const [seed, count, processes] = [Number(values.seed), Number(values.count), Number(values.processes)]
const areNumbers = [seed, count, processes].every((one) => Number.isInteger(one) && one > 0)
if (values.help || open === undefined || !areNumbers) {
  process.stderr.write(`${usage}\n`)
  process.exit(values.help ? 0 : 1)
}
if (values.trace) {
  const checked = checkSeed(seed, open)
  process.stdout.write(`${storyOf(checked)}\n`)
  process.exit(checked.violations.length === 0 ? 0 : 1)
}
const commit = values.ledger ? cleanCommit() : null
if (values.ledger && commit === null) {
  process.stderr.write("The working tree is not that of a commit, so that the ledger could not name what ran.\n")
  process.exit(1)
}

const progressEveryMs = 10_000
const maxStories = 3
let reported = performance.now()
let histories = 0
let full = 0
let operations = 0
let cpuSeconds = 0
const failing: Array<HistoryResult> = []
await runHistories({ from: seed, count, database, twice, processes }, (result) => {
  histories++
  if (result.isFull) full++
  operations += result.operations
  cpuSeconds += result.cpuSeconds
  if (result.violation !== null) {
    failing.push(result)
    process.stdout.write(`seed ${result.seed} breaks ${result.violation.promise}: ${result.violation.text}\n`)
  }
  if (performance.now() - reported < progressEveryMs) return
  reported = performance.now()
  process.stderr.write(`${histories} of ${count} histories, ${failing.length} failing\n`)
})

const failingSeeds = failing.map((one) => one.seed).sort((one, other) => one - other)
if (commit !== null) {
  const cpu = Number(cpuSeconds.toFixed(1))
  addToLedger({ commit, database, firstSeed: seed, count, full, twice, failingSeeds, operations, cpuSeconds: cpu })
}
const perSecond = (operations / cpuSeconds).toFixed(0)
process.stdout.write(
  `${count} histories (${full} full) from seed ${seed} on ${database}, ${failing.length} failing: ${operations} operations in ${cpuSeconds.toFixed(1)} s of CPU, ${perSecond}/s\n`
)
const unrepeatable = new Set(["history-ends", "history-runs", "same-history"])
const readable = failing.filter(({ violation }) => violation !== null && !unrepeatable.has(violation.promise))
for (const { seed } of readable.slice(0, maxStories)) {
  let tries = 0
  const checked = checkSeed(seed, open)
  const smallest = values.keep ? checked : shrink(checked, open, () => tries++)
  process.stdout.write(`seed ${seed} fails; ${tries} smaller histories were tried:\n${storyOf(smallest)}\n`)
}
// Fibers of crashed processes wait for ever.
process.exit(failing.length === 0 ? 0 : 1)
