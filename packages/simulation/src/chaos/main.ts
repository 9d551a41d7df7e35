import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { audit } from "../audit/audit.js"
import { chaosStory } from "./chaosStory.js"
import { faultKinds } from "./Fault.js"
import { findFaketime } from "./faketime.js"
import { runChaos } from "./runChaos.js"

const usage = `npm run chaos -- [options]
  --minutes N       duration of the faults (default 30); then comes a quiet time of 2 to 6 minutes
  --hosts N         number of hosts (default 2)
  --seed N          seed of the plan (default 1); times of real processes differ at each run
  --rate N          actions per second (default 4)
  --only NAME,…     only these faults: ${faultKinds.join(", ")}
  --keep            keep the journal and the logs of the hosts, and print where they are`

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    hosts: { type: "string", default: "2" },
    seed: { type: "string", default: "1" },
    rate: { type: "string", default: "4" },
    only: { type: "string", default: faultKinds.join(",") },
    keep: { type: "boolean", default: false },
    help: { type: "boolean", default: false }
  }
})
const minutes = Number(values.minutes)
const hosts = Number(values.hosts)
const seed = Number(values.seed)
const actionsPerSecond = Number(values.rate)
const faults = faultKinds.filter((kind) => values.only.split(",").includes(kind))
if (
  values.help ||
  !(minutes > 0 && actionsPerSecond > 0) ||
  !Number.isInteger(hosts) ||
  hosts < 1 ||
  !Number.isInteger(seed) ||
  faults.length !== values.only.split(",").length
) {
  process.stderr.write(`${usage}\n`)
  process.exit(values.help ? 0 : 1)
}

const progress = (text: string) => process.stderr.write(`${text}\n`)
const faketime = findFaketime()
if (faketime === null && faults.includes("clock")) {
  progress("Clocks are not stepped: libfaketime is not installed (apt install libfaketime, or node .ci/faketime.mjs)")
}
const folder = mkdtempSync(join(tmpdir(), "parley-chaos-"))
process.once("exit", () => {
  if (!values.keep) rmSync(folder, { recursive: true, force: true })
})
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))

const begun = performance.now()
const journal = await runChaos({
  seed,
  ms: minutes * 60_000,
  hosts,
  actionsPerSecond,
  faults: faults.filter((kind) => kind !== "clock" || faketime !== null),
  quietMs: { min: 125_000, max: 360_000 },
  folder,
  faketime,
  progress
})
const violations = audit(journal)
if (values.keep) {
  writeFileSync(join(folder, "journal.json"), JSON.stringify(journal))
  progress(`The journal and the logs are in ${folder}`)
}
const count = (kind: string) => journal.filter((entry) => entry.kind === kind).length
if (violations.length > 0) process.stdout.write(`${chaosStory(journal, violations)}\n\n`)
process.stdout.write(
  `Chaos with seed ${seed} for ${minutes} min on ${hosts} hosts: ${violations.length} violations; ${count("request")} requests, ${count("hand-over")} hand-overs, ${count("vendor-event")} events of the vendor, ${count("webhook")} webhook attempts, ${count("fault")} faults and ends of faults, ${journal.length} entries in ${((performance.now() - begun) / 1_000).toFixed(0)} s\n`
)
process.exit(violations.length === 0 ? 0 : 1)
