import { describe, expect, it } from "@effect/vitest"
import { freshPostgres } from "@parley/testkit/databases"
import { Effect } from "effect"
import { mergedMetrics, remaining } from "../src/host/processes/mergedMetrics.js"
import { messageOf, sendTemplate } from "./calls.js"
import { isAlive, outcomeOf, serveDemo, startsOf, temporaryFolder } from "./processes.js"
import { until } from "./until.js"

const metricsAt = async (url: string): Promise<string> =>
  (await fetch(`${url}/metrics`, { headers: { connection: "close" } })).text()

/** How many requests of a route the host counted. */
const countedAt = async (url: string): Promise<number> => {
  const lines = (await metricsAt(url)).split("\n")
  return lines
    .filter((line) => line.startsWith("parley_http_request_duration_seconds_count") && line.includes("/messages"))
    .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0)
}

describe("a host of several processes", () => {
  it.scopedLive(
    "serves one port, shows one set of metrics, replaces a killed process, and stops as a whole",
    () =>
      Effect.gen(function* () {
        const settings = { PARLEY_DATABASE_URL: yield* freshPostgres, PARLEY_PROCESSES: "3" }
        const host = yield* serveDemo(yield* temporaryFolder, settings)
        yield* until("all processes are ready", () => (startsOf(host.output()).length === 3 ? true : undefined))
        expect(
          startsOf(host.output())
            .map(({ number }) => number)
            .sort()
        ).toEqual([1, 2, 3])

        const send = async (key: string) => {
          const sent = await sendTemplate(host.demo, "+15550199999", key)
          expect(sent.status).toBe(202)
          return sent.body.data.message_id
        }
        const ids: Array<string> = []
        for (let n = 0; n < 6; n++) ids.push(yield* Effect.promise(() => send(`key-${n}`)))
        for (const id of ids) {
          yield* until("the message is read", async () =>
            (await messageOf(host.demo, id)).status === "read" ? true : undefined
          )
        }
        const counted = yield* Effect.promise(() => countedAt(host.url))
        expect(counted).toBeGreaterThanOrEqual(12)
        const memory = (yield* Effect.promise(() => metricsAt(host.url))).match(/process_resident_memory_bytes\{.*\}/g)
        expect(memory?.sort()).toEqual([1, 2, 3].map((number) => `process_resident_memory_bytes{process="${number}"}`))

        const killed = startsOf(host.output()).find(({ number }) => number === 2)?.pid as number
        process.kill(killed, "SIGKILL")
        yield* until("a new process replaces it", () => (startsOf(host.output()).length === 4 ? true : undefined))
        expect(host.output()).toContain("process 2 was ended by SIGKILL; it starts again in 1 s")
        expect(startsOf(host.output()).at(-1)?.number).toBe(2)
        expect(yield* Effect.promise(() => countedAt(host.url))).toBeGreaterThanOrEqual(counted)
        yield* Effect.promise(() => send("after"))

        host.signal("SIGTERM")
        expect(yield* host.exit).toBe(0)
        expect(startsOf(host.output()).filter(({ pid }) => isAlive(pid))).toEqual([])
      }),
    300_000
  )

  it.scopedLive(
    "ends with the reason if its first process cannot start",
    () =>
      Effect.gen(function* () {
        const settings = {
          PARLEY_DATABASE_URL: "postgres://parley@127.0.0.1:9/parley",
          PARLEY_DATA_DIR: yield* temporaryFolder
        }
        const { code, output } = yield* outcomeOf(["serve", "--processes", "2"], settings)
        expect(code).toBe(1)
        expect(output).toContain("The database cannot be used")
        expect(output).toContain("The first process ended with code 1 before it was ready")
      }),
    300_000
  )

  it.scopedLive(
    "needs Postgres",
    () =>
      Effect.gen(function* () {
        const settings = { PARLEY_DATA_DIR: yield* temporaryFolder }
        const { code, output } = yield* outcomeOf(["serve", "--processes", "2"], settings)
        expect(code).toBe(1)
        expect(output).toMatch(/^PARLEY_DATABASE_URL must be postgres:.* for parley serve in several processes/)
      }),
    300_000
  )
})

describe("metrics of several processes", () => {
  const family = (name: string, type: "counter" | "gauge", value: number, labels = {}) => ({
    name,
    help: "",
    type,
    samples: [{ suffix: "", labels, value }]
  })
  const merged = (...processes: ReadonlyArray<ReadonlyArray<ReturnType<typeof family>>>) =>
    mergedMetrics(processes.map((families, i) => ({ number: i + 1, families }))).flatMap(({ name, samples }) =>
      samples.map(({ labels, value }) => [name, labels, value])
    )

  it("sums counts, by their labels", () => {
    const [a, b] = [{ lane: "sends" }, { lane: "retries" }]
    expect(
      merged(
        [family("jobs_total", "counter", 2, a)],
        [family("jobs_total", "counter", 3, a)],
        [family("jobs_total", "counter", 4, b)]
      )
    ).toEqual([
      ["jobs_total", a, 5],
      ["jobs_total", b, 4]
    ])
  })

  it("shows what all of them read from the database once", () => {
    expect(merged([family("queue_jobs", "gauge", 7)], [family("queue_jobs", "gauge", 6)])).toEqual([
      ["queue_jobs", {}, 7]
    ])
  })

  it("names the process of memory and processor time", () => {
    expect(merged([family("process_cpu_seconds_total", "counter", 1)], [family("nodejs_heap", "gauge", 2)])).toEqual([
      ["process_cpu_seconds_total", { process: "1" }, 1],
      ["nodejs_heap", { process: "2" }, 2]
    ])
  })

  it("keeps the counts of an ended process, and nothing else of it", () => {
    const families = [
      family("jobs_total", "counter", 1),
      family("queue_jobs", "gauge", 1),
      family("process_cpu_seconds_total", "counter", 1)
    ]
    expect(remaining(families).map(({ name }) => name)).toEqual(["jobs_total"])
  })
})
