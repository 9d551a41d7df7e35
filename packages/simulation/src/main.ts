import { parseArgs } from "node:util"
import { checkSeed, shrink } from "./run/checkSeed.js"
import { modelDatabase } from "./run/modelDatabase.js"
import { sqliteDatabase } from "./run/sqliteDatabase.js"
import { storyOf } from "./run/storyOf.js"

const usage = `npm run simulate -- [options]
  --seed N          the first seed (default 1)
  --count N         the number of histories (default 100)
  --database NAME   model (default) or sqlite
  --trace           print each history
  --keep            do not shrink a failing history`

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "100" },
    database: { type: "string", default: "model" },
    trace: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    help: { type: "boolean", default: false }
  }
})
const seed = Number(values.seed)
const count = values.trace ? 1 : Number(values.count)
const databases: { readonly [name: string]: typeof modelDatabase } = { model: modelDatabase, sqlite: sqliteDatabase }
const open = databases[values.database]
if (values.help || open === undefined || !Number.isInteger(seed) || !Number.isInteger(count)) {
  process.stderr.write(`${usage}\n`)
  process.exit(values.help ? 0 : 1)
}

const progressEveryMs = 10_000
const begun = performance.now()
let reported = begun
let entries = 0
let requests = 0
let failures = 0
for (let n = 0; n < count; n++) {
  const checked = checkSeed(seed + n, open)
  entries += checked.journal.length
  requests += checked.journal.filter(({ kind }) => kind === "request").length
  if (values.trace) process.stdout.write(`${storyOf(checked)}\n`)
  if (checked.violations.length > 0) {
    failures++
    if (!values.trace) {
      let tries = 0
      const smallest = values.keep ? checked : shrink(checked, open, () => tries++)
      process.stdout.write(`seed ${seed + n} fails; ${tries} smaller histories were tried:\n${storyOf(smallest)}\n`)
    }
  }
  if (performance.now() - reported < progressEveryMs) continue
  reported = performance.now()
  process.stderr.write(`${n + 1} of ${count} histories, ${failures} failing\n`)
}
const seconds = (performance.now() - begun) / 1_000
process.stdout.write(
  `${count} histories from seed ${seed} on ${values.database}, ${failures} failing: ${requests} requests and ${entries} entries in ${seconds.toFixed(1)} s, ${(entries / seconds).toFixed(0)} entries/s\n`
)
// Fibers of crashed processes wait for ever.
process.exit(failures === 0 ? 0 : 1)
