import { expect, it } from "@effect/vitest"
import { freshPostgres } from "@parley/testkit/databases"
import { Effect } from "effect"
import { parley, temporaryFolder } from "./processes.js"
import { until } from "./until.js"

it.scopedLive(
  "a worker without an API serves readiness and metrics on the probe port",
  () =>
    Effect.gen(function* () {
      const worker = yield* parley(["worker"], {
        PARLEY_DATABASE_URL: yield* freshPostgres,
        PARLEY_DATA_DIR: yield* temporaryFolder,
        PARLEY_PROBES_PORT: "0"
      })
      const url = yield* until("its probes are there", () => /probes at (http:\/\/\S+)/.exec(worker.output())?.[1])
      const read = (path: string) => Effect.promise(() => fetch(`${url}${path}`))
      expect((yield* read("/healthz")).status).toBe(200)
      expect((yield* read("/readyz")).status).toBe(200)
      const text = yield* Effect.flatMap(read("/metrics"), (response) => Effect.promise(() => response.text()))
      expect(text).toMatch(/^parley_build_info{version="[^"]+",node="[^"]+",database="postgres"} 1$/m)
      expect(text).toMatch(/^parley_queue_jobs{lane="deliveries",state="due"} 0$/m)
      worker.signal("SIGTERM")
      expect(yield* worker.exit).toBe(0)
    }),
  120_000
)
