import { Worker } from "node:worker_threads"
import { Effect } from "effect"

const program = `
  const { parentPort, workerData } = require("node:worker_threads")
  const { createServer } = require("node:http")
  const server = createServer((request, response) => {
    parentPort.postMessage("received")
    Atomics.wait(workerData, 0, 0)
    response.end("in time", () => {
      Atomics.store(workerData, 1, 1)
      Atomics.notify(workerData, 1)
    })
  })
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port))
`

/**
 * A server in a thread of its own. When it received a request, this thread is blocked until the response was sent, and
 * `ms` longer.
 */
export const answeringThread = (ms: number) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<{ readonly port: number; readonly worker: Worker }>((resume) => {
        const flags = new Int32Array(new SharedArrayBuffer(8))
        const worker = new Worker(program, { eval: true, workerData: flags })
        worker.on("message", (message) => {
          if (typeof message === "number") return resume(Effect.succeed({ port: message, worker }))
          Atomics.store(flags, 0, 1)
          Atomics.notify(flags, 0)
          Atomics.wait(flags, 1, 0)
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
        })
      }),
      ({ worker }) => Effect.promise(() => worker.terminate())
    ),
    ({ port }) => port
  )
