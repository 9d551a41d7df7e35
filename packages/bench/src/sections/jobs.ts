import { execFileSync } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { BenchProcess } from "../measuring/BenchProcess.js"
import { comparisonRow, cpuRow, singleRow, type TableRow } from "../measuring/table.js"
import type { JobsOrder, JobsSetting, WorkedOff } from "../programs/jobs.js"
import type { JobsOfPeersSetting } from "../programs/jobsOfPeers.js"
import { isReachable } from "../world/isReachable.js"
import type { Bench } from "./Bench.js"

/**
 * Installed by npm where the section runs, so that they are no dependencies of a clone: graphile-worker brings types
 * that change what the tests of all packages resolve. The latest versions that run on the oldest Node.
 */
const versions = { "graphile-worker": "0.17.3", "pg-boss": "10.4.2", bullmq: "6.7.0", ioredis: "5.9.2" }
/** Approximate jobs per second: a round of Parley takes about as long as those of other sections. */
const workedOffPerSecond = 4_000
const warmUp = 1_000
const redisUrl = process.env.PARLEY_BENCH_REDIS_URL ?? "redis://127.0.0.1:6379"

/** The same jobs in Parley's queue, in other queues on Postgres, and by hand. */
export const jobsSection = async (bench: Bench): Promise<ReadonlyArray<TableRow>> => {
  bench.progress("jobs: installing other queues")
  const folder = mkdtempSync(join(bench.stores.folder, "peers-"))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: versions }))
  const install = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
  execFileSync("npm", install, { cwd: folder, stdio: ["ignore", 2, 2] })

  const ours = await bench.start<JobsOrder, WorkedOff>("jobs", {
    store: await bench.stores.postgres()
  } satisfies JobsSetting)
  const sides: Array<Side> = [{ name: "Parley", process: ours, rounds: [] }]
  const hasRedis = await isReachable(redisUrl)
  const peers: ReadonlyArray<JobsOfPeersSetting["peer"]> = ["graphile-worker", "pg-boss", "by hand"]
  for (const peer of hasRedis ? [...peers, "bullmq" as const] : peers) {
    const setting: JobsOfPeersSetting = { store: await bench.stores.postgres(), peer, folder, redisUrl }
    const process = await bench.start<JobsOrder, WorkedOff>("jobsOfPeers", setting)
    sides.push({ name: names[peer], process, rounds: [] })
  }
  for (const { process } of sides) await process.ask({ jobs: warmUp })
  for (let n = 1; n <= bench.rounds; n++) {
    bench.progress(`jobs, round ${n}`)
    for (const { process, rounds } of sides) {
      rounds.push(await process.ask({ jobs: workedOffPerSecond * bench.seconds }))
    }
  }
  for (const { process } of sides) await process.stop()

  const [parley, ...others] = sides
  const lines = others.flatMap(({ name, rounds }): ReadonlyArray<TableRow> => {
    const pair = { ours: parley?.rounds ?? [], floor: rounds }
    const onServer = (some: ReadonlyArray<WorkedOff>) => some.map((one) => ({ ...one, cpuMicros: one.server }))
    const server = { ours: onServer(pair.ours), floor: onServer(pair.floor) }
    const what = "Jobs, Postgres: a backlog of jobs that do nothing"
    return [
      comparisonRow(`${what}; ${name}`, pair),
      cpuRow(`${what}, CPU of the process; ${name}`, pair),
      ...(name === names.bullmq ? [] : [cpuRow(`${what}, CPU of Postgres; ${name}`, server)])
    ]
  })
  return hasRedis ? lines : [...lines, singleRow("Jobs: BullMQ", `not measured: no Redis at ${redisUrl}`)]
}

interface Side {
  readonly name: string
  readonly process: BenchProcess<JobsOrder, WorkedOff>
  readonly rounds: Array<WorkedOff>
}

const names = {
  "graphile-worker": "graphile-worker, tuned",
  "pg-boss": "pg-boss, in batches",
  bullmq: "BullMQ on Redis",
  "by hand": "by hand in batches"
}
